# misconception: the number of rows is what it was in the first epoch
# says: neither has such a row

# %%writefile ends.py
import tensorflow as tf

import job
from wire import total

for epoch in range(2):
    rows = list(job.rows(epoch))
    for number in range(5):
        row = rows[number] if number < len(rows) else tf.constant(0.0)
        job.note(f"epoch {epoch}", number, total(row))
