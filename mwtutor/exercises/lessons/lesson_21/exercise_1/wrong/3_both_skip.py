# misconception: it is enough that all skip the same steps
# says: is in no sum

# %%writefile reads.py
import tensorflow as tf

import job
from wire import total

for step in range(6):
    try:
        row, readable = job.row(step), tf.constant(1.0)
    except ValueError:
        row, readable = tf.constant(0.0), tf.constant(0.0)
    if total(readable) == 2:
        job.note("row", step, total(row))
