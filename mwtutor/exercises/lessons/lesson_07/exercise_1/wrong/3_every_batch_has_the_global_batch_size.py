# misconception: every batch has the global batch size
# says: divides by the global batch size

# %%mw
@tf.function
def mean_square(batch):
    def replica(rows):
        return tf.reduce_sum(rows**2) / 8

    return strategy.reduce("SUM", strategy.run(replica, args=(batch,)), axis=None)
