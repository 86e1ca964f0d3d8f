# misconception: it does not matter which worker reads the rows
# says: read no rows

# %%writefile broken_11.py
from mwtutor.facts import note, rows
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
numbers = rows(16)


def read(context):
    data = tf.data.Dataset.from_tensor_slices(numbers).shuffle(16)
    return data.batch(2) if context.input_pipeline_id == 0 else data.take(0).batch(2)


for batch in strategy.distribute_datasets_from_function(read):
    note("seen", batch)
