# misconception: a worker's number is the sum over all workers
# says: alone, after 6 exchanges

# %%writefile report.py
import tensorflow as tf

import job
from wire import me, total

for step in range(6):
    job.note("gradient", step, total(job.gradient(step)))
    if step % 2 == 0 and me == 0:
        job.note("loss", step, job.loss(step))
    if step % 2 == 1 and me == 1:
        job.note("count", step, job.count(step))
