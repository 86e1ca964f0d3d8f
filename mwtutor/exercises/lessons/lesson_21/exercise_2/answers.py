# == right: gradient and number in one exchange
# %%writefile report.py
import tensorflow as tf

import job
from wire import me, total

for step in range(6):
    other = job.loss(step) if step % 2 == 0 else job.count(step)
    gradient, number = total(tf.stack([job.gradient(step), other]))
    job.note("gradient", step, gradient)
    if me == step % 2:
        job.note("count" if me else "loss", step, number)


# == right: an exchange in each branch
# %%writefile report.py
import tensorflow as tf

import job
from wire import me, total

for step in range(6):
    job.note("gradient", step, total(job.gradient(step)))
    kind = ["loss", "count"][step % 2]
    if step % 2 == me:
        job.note(kind, step, total(getattr(job, kind)(step)))
    else:
        total(getattr(job, kind)(step))


# == right: gradients first
# %%writefile report.py
import tensorflow as tf

import job
from wire import me, total

for step in range(6):
    job.note("gradient", step, total(job.gradient(step)))
losses = [total(job.loss(step)) for step in (0, 2, 4)]
counts = [total(job.count(step)) for step in (1, 3, 5)]
for at in range(3):
    if me == 0:
        job.note("loss", 2 * at, losses[at])
    else:
        job.note("count", 2 * at + 1, counts[at])


# == wrong: worker 0 notes all
# says: worker:0 notes the
# %%writefile report.py
import tensorflow as tf

import job
from wire import me, total

for step in range(6):
    job.note("gradient", step, total(job.gradient(step)))
    loss, count = total(job.loss(step)), total(job.count(step))
    if me == 0 and step % 2 == 0:
        job.note("loss", step, loss)
    if me == 0 and step % 2 == 1:
        job.note("count", step, count)


# == wrong: the other one reports
# %%writefile report.py
import tensorflow as tf

import job
from wire import me, total

for step in range(6):
    job.note("gradient", step, total(job.gradient(step)))
    loss, count = total(job.loss(step)), total(job.count(step))
    if me == 1 and step % 2 == 0:
        job.note("loss", step, loss)
    if me == 0 and step % 2 == 1:
        job.note("count", step, count)


# == wrong: nobody reports
# says: notes no loss
# %%writefile report.py
import tensorflow as tf

import job
from wire import me, total

for step in range(6):
    job.note("gradient", step, total(job.gradient(step)))


# == wrong: after every step
# says: count was noted after step 0
# %%writefile report.py
import tensorflow as tf

import job
from wire import me, total

for step in range(6):
    job.note("gradient", step, total(job.gradient(step)))
    loss, count = total(job.loss(step)), total(job.count(step))
    if me == 0:
        job.note("loss", step, loss)
    else:
        job.note("count", step, count)


# == wrong: means
# %%writefile report.py
import tensorflow as tf

import job
from wire import me, total

for step in range(6):
    job.note("gradient", step, total(job.gradient(step)))
    loss, count = total(job.loss(step)), total(job.count(step))
    if me == step % 2:
        job.note("count" if me else "loss", step, (count if me else loss) / 2)


# == wrong: the loss of the step before
# %%writefile report.py
import tensorflow as tf

import job
from wire import me, total

loss = count = tf.constant(0.0)
for step in range(6):
    if me == step % 2:
        job.note("count" if me else "loss", step, count if me else loss)
    job.note("gradient", step, total(job.gradient(step)))
    loss, count = total(job.loss(step)), total(job.count(step))


# == wrong: gradients of its own
# %%writefile report.py
import tensorflow as tf

import job
from wire import me, total

for step in range(6):
    job.note("gradient", step, job.gradient(step))
    loss, count = total(job.loss(step)), total(job.count(step))
    if me == step % 2:
        job.note("count" if me else "loss", step, count if me else loss)


# == wrong: only the chief notes the gradients
# says: worker:1 noted no sum of gradients in step 0
# %%writefile report.py
import tensorflow as tf

import job
from wire import me, total

for step in range(6):
    gradient = total(job.gradient(step))
    extra = total(job.loss(step) if step % 2 == 0 else job.count(step))
    if me == 0:
        job.note("gradient", step, gradient)
        job.note("loss" if step % 2 == 0 else "count", step, extra)
