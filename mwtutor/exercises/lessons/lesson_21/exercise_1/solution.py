# %%writefile reads.py
import tensorflow as tf

import job
from wire import total

for step in range(6):
    try:
        row = job.row(step)
    except ValueError:
        row = tf.constant(0.0)  # it adds nothing, and is exchanged
    job.note("row", step, total(row))
