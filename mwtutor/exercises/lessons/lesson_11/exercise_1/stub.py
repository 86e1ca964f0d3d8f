# %%mw
partitioners = tf.distribute.experimental.partitioners
partitioner = None
