# %%mw
partitioners = tf.distribute.experimental.partitioners
partitioner = partitioners.MinSizePartitioner(min_shard_bytes=128 << 10, max_shards=2)
