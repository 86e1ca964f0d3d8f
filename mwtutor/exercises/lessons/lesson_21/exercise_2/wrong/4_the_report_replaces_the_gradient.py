# misconception: a step has one exchange
# says: took no gradient

# %%writefile report.py
import tensorflow as tf

import job
from wire import me, total

for step in range(6):
    if step % 2 == 0:
        loss = total(job.loss(step))
        if me == 0:
            job.note("loss", step, loss)
    else:
        count = total(job.count(step))
        if me == 1:
            job.note("count", step, count)
