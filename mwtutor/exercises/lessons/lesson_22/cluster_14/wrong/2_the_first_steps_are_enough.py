# misconception: the first steps are enough
# says: read by neither

# %%writefile broken_14.py
from mwtutor.facts import note, rows
import tensorflow as tf

STEPS = 2

strategy = tf.distribute.MultiWorkerMirroredStrategy()
data = tf.data.Dataset.from_tensor_slices(rows(12)).batch(4)
batches = iter(strategy.experimental_distribute_dataset(data))
for step in range(STEPS):
    note("seen", next(batches))
