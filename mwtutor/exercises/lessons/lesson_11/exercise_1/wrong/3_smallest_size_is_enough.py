# misconception: a minimum size is enough
# says: The table is whole

# %%mw
partitioners = tf.distribute.experimental.partitioners
partitioner = partitioners.MinSizePartitioner(min_shard_bytes=128 << 10)
