# misconception: the minimum size of section 2 works here, too
# says: but so is the kernel

# %%mw
partitioners = tf.distribute.experimental.partitioners
partitioner = partitioners.MinSizePartitioner(min_shard_bytes=64 << 10, max_shards=2)
