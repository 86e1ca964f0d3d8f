# misconception: without automatic sharding, the strategy divides the batches
# says: read by both

# %%writefile broken_10.py
import os

from mwtutor.facts import note, rows
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
path = f"rows-{os.getpid()}.txt"  # a copy on each machine
with open(path, "w") as file:
    print(*rows(12), sep="\n", file=file)

data = tf.data.TextLineDataset(path).map(tf.strings.to_number).batch(4)
options = tf.data.Options()
options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
data = data.with_options(options)
for batch in strategy.experimental_distribute_dataset(data):
    note("seen", batch)
