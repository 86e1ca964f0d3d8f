# misconception: the others only have to take part
# says: alone, after 12 exchanges

# %%writefile report.py
import tensorflow as tf

import job
from wire import me, total

zero = tf.constant(0.0)
for step in range(6):
    job.note("gradient", step, total(job.gradient(step)))
    if step % 2 == 0:
        loss = total(job.loss(step) if me == 0 else zero)
        if me == 0:
            job.note("loss", step, loss)
    if step % 2 == 1:
        count = total(job.count(step) if me == 1 else zero)
        if me == 1:
            job.note("count", step, count)
