# == right: NumPy integers
import numpy as np

global_batch = np.int32(96)
steps_per_epoch = np.ceil(1344 / 96).astype(int)


# == right: the length of a range
per, workers, rows = 32, 3, 1344
global_batch = per * workers
steps_per_epoch = len(range(0, rows, global_batch))


# == right: both in one line
global_batch, steps_per_epoch = 96, 14


# == wrong: the batch of one worker
global_batch, steps_per_epoch = 32, 14


# == wrong: the steps of a batch of 32
global_batch, steps_per_epoch = 96, 42


# == wrong: one step too few
global_batch, steps_per_epoch = 96, 13


# == wrong: one step too many
global_batch, steps_per_epoch = 96, 15


# == wrong: steps as a float
global_batch, steps_per_epoch = 96, 14.0


# == wrong: numbers as text
global_batch, steps_per_epoch = "96", "14"


# == wrong: a batch for two workers
global_batch, steps_per_epoch = 64, 21
