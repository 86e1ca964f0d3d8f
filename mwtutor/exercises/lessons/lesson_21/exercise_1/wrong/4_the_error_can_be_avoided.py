# misconception: a row that cannot be read has a number
# says: which it cannot read

# %%writefile reads.py
import tensorflow as tf

import job
from wire import total

for step in range(6):
    job.note("row", step, total(job.draw("row", step)))
