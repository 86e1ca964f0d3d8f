# misconception: a worker that reads the dataset itself gets its batch
# says: read by both

# %%writefile broken_08.py
from mwtutor.facts import note, rows
import tensorflow as tf

BATCH = 8  # of each worker

strategy = tf.distribute.MultiWorkerMirroredStrategy()
data = tf.data.Dataset.from_tensor_slices(rows(64)).batch(BATCH)
for batch in data:
    note("seen", batch)
