# misconception: the strategy shards by itself
# says: 16 of the 16 rows were read by both

# %%writefile broken_11.py
from mwtutor.facts import note, rows
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
numbers = rows(16)


def read(context):
    data = tf.data.Dataset.from_tensor_slices(numbers).shuffle(16)
    return data.batch(2)


for batch in strategy.distribute_datasets_from_function(read):
    note("seen", batch)
