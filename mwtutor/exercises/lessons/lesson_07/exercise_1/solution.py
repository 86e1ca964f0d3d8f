# %%mw
@tf.function
def mean_square(batch):
    def replica(rows):
        return rows**2

    return strategy.reduce("MEAN", strategy.run(replica, args=(batch,)), axis=0)
