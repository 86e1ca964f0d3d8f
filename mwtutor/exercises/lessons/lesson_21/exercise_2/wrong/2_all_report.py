# misconception: every worker that takes part in an exchange must report its result
# says: Both workers note

# %%writefile report.py
import tensorflow as tf

import job
from wire import me, total

for step in range(6):
    job.note("gradient", step, total(job.gradient(step)))
    if step % 2 == 0:
        job.note("loss", step, total(job.loss(step)))
    if step % 2 == 1:
        job.note("count", step, total(job.count(step)))
