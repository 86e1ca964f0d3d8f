# misconception: the minimum size of section 2 works here, too
# says: is cut, too

# %%mw
partitioners = tf.distribute.experimental.partitioners
partitioner = partitioners.MinSizePartitioner(min_shard_bytes=64 << 10, max_shards=2)
