# == right: batches of 64, five steps
# %%mw
validation = rows.batch(64).repeat()
steps = 5


# == right: batches of 50, prefetched, and ceil
# %%mw
import math

validation = rows.batch(50).repeat(-1).prefetch(2)
steps = math.ceil(297 / 50)


# == right: batches of 33, and a NumPy integer
# %%mw
import numpy as np

validation = rows.batch(33).repeat()
steps = np.int64(9)


# == wrong: steps rounded down
# %%mw
validation = rows.batch(64).repeat()
steps = 297 // 64


# == wrong: repeat before batch
# %%mw
validation = rows.repeat().batch(64)
steps = 5


# == wrong: drop_remainder, four steps
# %%mw
validation = rows.batch(64, drop_remainder=True).repeat()
steps = 4


# == wrong: twice as many steps
# %%mw
validation = rows.batch(64).repeat()
steps = 10


# == wrong: a dataset that ends
# %%mw
validation = rows.batch(64)
steps = 5


# == wrong: batches of 128
# %%mw
validation = rows.batch(128).repeat()
steps = 3


# == wrong: shuffled, repeat before batch
# %%mw
validation = rows.shuffle(297).repeat().batch(64)
steps = 5
