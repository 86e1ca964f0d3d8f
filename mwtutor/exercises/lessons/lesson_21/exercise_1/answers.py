# == right: a function, and its own number for each step
# %%writefile reads.py
import tensorflow as tf

import job
from wire import total


def row_or_nothing(step):
    try:
        return job.row(step)
    except ValueError:
        return tf.zeros([])


for step in range(6):
    job.note("row", step, total(row_or_nothing(step)))


# == right: an exchange in each branch
# %%writefile reads.py
import tensorflow as tf

import job
from wire import total

for step in range(6):
    try:
        row = job.row(step)
    except ValueError:
        added = total(tf.constant(0.0))
    else:
        added = total(row)
    job.note("row", step, added)


# == right: the number of rows is exchanged, too
# %%writefile reads.py
import tensorflow as tf

import job
from wire import total

for step in range(6):
    given = tf.zeros([2])
    try:
        given = tf.stack([job.row(step), 1.0])
    except ValueError:
        print("no row in step", step)
    added, rows = total(given)
    if rows > 0:
        job.note("row", step, added)


# == right: all steps in one exchange
# %%writefile reads.py
import tensorflow as tf

import job
from wire import total

rows = []
for step in range(6):
    try:
        rows.append(job.row(step))
    except ValueError:
        rows.append(tf.constant(0.0))
for step, added in enumerate(total(tf.stack(rows))):
    job.note("row", step, added)


# == wrong: takes part, and does not take the sum
# says: noted no sum of step 2
# %%writefile reads.py
import tensorflow as tf

import job
from wire import total

for step in range(6):
    try:
        row = job.row(step)
    except ValueError:
        total(tf.constant(0.0))
        continue
    job.note("row", step, total(row))


# == wrong: one instead of zero
# %%writefile reads.py
import tensorflow as tf

import job
from wire import total

for step in range(6):
    try:
        row = job.row(step)
    except ValueError:
        row = tf.constant(1.0)
    job.note("row", step, total(row))


# == wrong: a step too few
# %%writefile reads.py
import tensorflow as tf

import job
from wire import total

for step in range(5):
    try:
        row = job.row(step)
    except ValueError:
        row = tf.constant(0.0)
    job.note("row", step, total(row))


# == wrong: means
# %%writefile reads.py
import tensorflow as tf

import job
from wire import total

for step in range(6):
    try:
        row = job.row(step)
    except ValueError:
        row = tf.constant(0.0)
    job.note("row", step, total(row) / 2)


# == wrong: what comes back is exchanged again
# %%writefile reads.py
import tensorflow as tf

import job
from wire import total

for step in range(6):
    try:
        row = job.row(step)
    except ValueError:
        row = tf.constant(0.0)
    job.note("row", step, total(total(row)))


# == wrong: nothing is exchanged
# says: no two workers exchange
# %%writefile reads.py
import tensorflow as tf

import job
from wire import total

for step in range(6):
    try:
        row = job.row(step)
    except ValueError:
        row = tf.constant(0.0)
    job.note("row", step, row)


# == wrong: the steps that both cannot read are known
# %%writefile reads.py
import tensorflow as tf

import job
from wire import total

for step in range(6):
    if step in (2, 4):
        continue
    job.note("row", step, total(job.row(step)))


# == wrong: the workers exchange different shapes
# says: did not end on both workers
# %%writefile reads.py
import tensorflow as tf

import job
from wire import me, total

for step in range(6):
    try:
        row = job.row(step)
    except ValueError:
        row = tf.constant(0.0)
    job.note("row", step, total(row if me else tf.stack([row, row]))[0])
