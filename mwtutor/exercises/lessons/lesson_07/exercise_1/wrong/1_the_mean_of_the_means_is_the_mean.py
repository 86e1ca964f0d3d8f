# misconception: the mean of the means is the mean
# says: a mean of nothing

# %%mw
@tf.function
def mean_square(batch):
    def replica(rows):
        return tf.reduce_mean(rows**2)

    return strategy.reduce("MEAN", strategy.run(replica, args=(batch,)), axis=None)
