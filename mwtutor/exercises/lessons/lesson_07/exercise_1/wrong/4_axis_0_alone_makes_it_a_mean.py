# misconception: axis=0 alone makes it a mean
# says: it was not divided

# %%mw
@tf.function
def mean_square(batch):
    def replica(rows):
        return rows**2

    return strategy.reduce("SUM", strategy.run(replica, args=(batch,)), axis=0)
