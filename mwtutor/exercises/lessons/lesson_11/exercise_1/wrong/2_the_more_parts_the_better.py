# misconception: the more parts, the better they are spread
# says: there are only two servers

# %%mw
partitioners = tf.distribute.experimental.partitioners
partitioner = partitioners.MaxSizePartitioner(max_shard_bytes=64 << 10)
