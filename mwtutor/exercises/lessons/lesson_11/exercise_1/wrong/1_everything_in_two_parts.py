# misconception: two servers, so everything in two parts
# says: Even the bias

# %%mw
partitioners = tf.distribute.experimental.partitioners
partitioner = partitioners.FixedShardsPartitioner(2)
