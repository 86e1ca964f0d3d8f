# misconception: reduce works in a replica, too
# says: requires being in cross-replica context

# %%mw
@tf.function
def mean_square(batch):
    def replica(rows):
        return strategy.reduce("MEAN", rows**2, axis=0)

    return strategy.run(replica, args=(batch,))
