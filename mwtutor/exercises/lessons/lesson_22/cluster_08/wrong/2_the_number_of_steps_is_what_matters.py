# misconception: the number of steps is what matters
# says: there should be 8

# %%writefile broken_08.py
from mwtutor.facts import note, rows
import tensorflow as tf

BATCH = 8  # of each worker

strategy = tf.distribute.MultiWorkerMirroredStrategy()
data = tf.data.Dataset.from_tensor_slices(rows(64)).batch(64)
for batch in strategy.experimental_distribute_dataset(data):
    note("seen", batch)
