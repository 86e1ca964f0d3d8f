# misconception: MEAN divides by the rows
# says: not by the number of rows

# %%mw
@tf.function
def mean_square(batch):
    def replica(rows):
        return tf.reduce_sum(rows**2)

    return strategy.reduce("MEAN", strategy.run(replica, args=(batch,)), axis=None)
