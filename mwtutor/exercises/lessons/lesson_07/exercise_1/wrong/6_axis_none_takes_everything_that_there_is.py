# misconception: axis=None combines everything
# says: with `axis=None`, `reduce` combines the first row

# %%mw
@tf.function
def mean_square(batch):
    def replica(rows):
        return rows**2

    return strategy.reduce("MEAN", strategy.run(replica, args=(batch,)), axis=None)
