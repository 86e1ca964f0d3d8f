# %%writefile reads.py
import tensorflow as tf

import job
from wire import total

for step in range(6):
    try:
        row = job.row(step)
    except ValueError:
        continue  # this worker's row of this step cannot be read
    job.note("row", step, total(row))
