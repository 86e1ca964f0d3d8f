# misconception: a worker with fewer rows can start over
# says: a second time

# %%writefile ends.py
import tensorflow as tf

import job
from wire import me, total

for epoch in range(3):
    rows = list(job.rows(epoch))
    counts = total(tf.one_hot(me, 2) * len(rows))
    for number in range(int(max(counts))):
        job.note(f"epoch {epoch}", number, total(rows[number % len(rows)]))
