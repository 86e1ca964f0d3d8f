# misconception: replicas' results are always added up
# says: the two means are added up

# %%mw
@tf.function
def mean_square(batch):
    def replica(rows):
        return tf.reduce_mean(rows**2)

    return strategy.reduce("SUM", strategy.run(replica, args=(batch,)), axis=None)
