# misconception: a worker that stops at a fault does no harm to the other one
# says: has no counterpart

# %%writefile reads.py
import tensorflow as tf

import job
from wire import total

for step in range(6):
    try:
        row = job.row(step)
    except ValueError:
        break
    job.note("row", step, total(row))
