# %%writefile ends.py
import tensorflow as tf

import job
from wire import total

for epoch in range(3):
    for number, row in enumerate(job.rows(epoch)):
        job.note(f"epoch {epoch}", number, total(row))
