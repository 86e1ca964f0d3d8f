# == right: the counts are exchanged first
# %%writefile ends.py
import tensorflow as tf

import job
from wire import me, total

for epoch in range(3):
    rows = list(job.rows(epoch))
    counts = total(tf.one_hot(me, 2) * len(rows))
    rows += [tf.constant(0.0)] * (int(max(counts)) - len(rows))
    for number, row in enumerate(rows):
        job.note(f"epoch {epoch}", number, total(row))


# == right: flag and row are two exchanges
# %%writefile ends.py
import tensorflow as tf

import job
from wire import me, total

for epoch in range(3):
    rows = list(job.rows(epoch))
    number = 0
    while float(total(tf.constant(float(number < len(rows))))) > 0:
        row = rows[number] if number < len(rows) else tf.constant(0.0)
        job.note(f"epoch {epoch}", number, total(row))
        number += 1


# == right: all rows of an epoch in one exchange
# %%writefile ends.py
import tensorflow as tf

import job
from wire import me, total

for epoch in range(3):
    rows = list(job.rows(epoch))
    most = int(max(total(tf.one_hot(me, 2) * len(rows))))
    padded = tf.stack(rows + [tf.constant(0.0)] * (most - len(rows)))
    for number, added in enumerate(total(padded)):
        job.note(f"epoch {epoch}", number, added)


# == wrong: as many as the worker with fewer has
# says: is in no sum
# %%writefile ends.py
import tensorflow as tf

import job
from wire import me, total

for epoch in range(3):
    rows = list(job.rows(epoch))
    fewest = int(min(total(tf.one_hot(me, 2) * len(rows))))
    for number in range(fewest):
        job.note(f"epoch {epoch}", number, total(rows[number]))


# == wrong: one in place of a row
# %%writefile ends.py
import tensorflow as tf

import job
from wire import me, total

for epoch in range(3):
    rows = list(job.rows(epoch))
    most = int(max(total(tf.one_hot(me, 2) * len(rows))))
    rows += [tf.constant(1.0)] * (most - len(rows))
    for number, row in enumerate(rows):
        job.note(f"epoch {epoch}", number, total(row))


# == wrong: the last row again
# says: a second time
# %%writefile ends.py
import tensorflow as tf

import job
from wire import me, total

for epoch in range(3):
    rows = list(job.rows(epoch))
    most = int(max(total(tf.one_hot(me, 2) * len(rows))))
    rows += [rows[-1]] * (most - len(rows))
    for number, row in enumerate(rows):
        job.note(f"epoch {epoch}", number, total(row))


# == wrong: only the worker with a row notes it
# says: noted no sum
# %%writefile ends.py
import tensorflow as tf

import job
from wire import me, total

for epoch in range(3):
    rows = list(job.rows(epoch))
    most = int(max(total(tf.one_hot(me, 2) * len(rows))))
    for number in range(most):
        if number < len(rows):
            job.note(f"epoch {epoch}", number, total(rows[number]))
        else:
            total(tf.constant(0.0))


# == wrong: the second epoch is left out
# %%writefile ends.py
import tensorflow as tf

import job
from wire import me, total

for epoch in range(1):
    rows = list(job.rows(epoch))
    most = int(max(total(tf.one_hot(me, 2) * len(rows))))
    rows += [tf.constant(0.0)] * (most - len(rows))
    for number, row in enumerate(rows):
        job.note(f"epoch {epoch}", number, total(row))


# == wrong: one sum for an epoch
# %%writefile ends.py
import tensorflow as tf

import job
from wire import me, total

for epoch in range(3):
    job.note(f"epoch {epoch}", 0, total(tf.add_n(list(job.rows(epoch)))))


# == wrong: each notes its own rows
# %%writefile ends.py
import tensorflow as tf

import job
from wire import me, total

for epoch in range(3):
    total(tf.constant(0.0))
    for number, row in enumerate(job.rows(epoch)):
        job.note(f"epoch {epoch}", number, row)


# == wrong: the numbers of rows of one run
# %%writefile ends.py
import tensorflow as tf

import job
from wire import total

for epoch, most in enumerate((5, 4)):
    rows = iter(job.rows(epoch))
    for number in range(most):
        job.note(f"epoch {epoch}", number, total(next(rows, tf.constant(0.0))))


# == wrong: a hundred exchanges, and notes what is not zero
# says: exchanges are too many
# %%writefile ends.py
import tensorflow as tf

import job
from wire import total

for epoch in range(3):
    rows = iter(job.rows(epoch))
    for number in range(100):
        one = total(next(rows, tf.constant(0.0)))
        if one:
            job.note(f"epoch {epoch}", number, one)


# == wrong: worker 0 has more in the first epoch, worker 1 in the others
# says: is in no sum
# %%writefile ends.py
import tensorflow as tf

import job
from wire import me, total

for epoch in range(3):
    rows = list(job.rows(epoch))
    most = int(total(tf.constant(float(len(rows)) if me == min(epoch, 1) else 0.0)))
    rows += [tf.constant(0.0)] * (most - len(rows))
    for number in range(most):
        job.note(f"epoch {epoch}", number, total(rows[number]))


# == wrong: the program ends with an error before it exchanges anything
# says: The run failed:
# %%writefile ends.py
import numpy as np
import tensorflow as tf

import job
from wire import me, total

mine = [[float(row) for row in job.rows(epoch)] for epoch in range(3)]
lengths = np.zeros((2, 2), "f4")
lengths[me] = [len(one) for one in mine]
longest = total(tf.constant(lengths)).numpy().max(axis=0).astype(int)
for epoch, rows in enumerate(mine):
    padded = np.pad(np.array(rows, "f4"), (0, longest[epoch] - len(rows)))
    for number, both in enumerate(total(tf.constant(padded))):
        job.note(f"epoch {epoch}", number, both)
