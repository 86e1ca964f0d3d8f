# misconception: an epoch ends when the first worker has no more rows
# says: is in no sum

# %%writefile ends.py
import tensorflow as tf

import job
from wire import total

for epoch in range(3):
    rows, number = iter(job.rows(epoch)), 0
    while True:
        row = next(rows, None)
        given = [0.0, 0.0] if row is None else [row, 1.0]
        added, having = total(tf.stack(given))
        if having < 2:
            break
        job.note(f"epoch {epoch}", number, added)
        number += 1
