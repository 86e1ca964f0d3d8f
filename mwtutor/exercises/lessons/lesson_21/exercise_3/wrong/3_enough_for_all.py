# misconception: a number of steps that is large enough for all rows is good enough
# says: neither worker has that row

# %%writefile ends.py
import tensorflow as tf

import job
from wire import total

for epoch in range(3):
    rows = list(job.rows(epoch))
    for number in range(10):
        row = rows[number] if number < len(rows) else tf.constant(0.0)
        job.note(f"epoch {epoch}", number, total(row))
