# misconception: what matters is that something is exchanged
# says: a second time

# %%writefile reads.py
import tensorflow as tf

import job
from wire import total

for step in range(6):
    try:
        row = job.row(step)
    except ValueError:
        print("this is the row of the step before")
    job.note("row", step, total(row))
