# %%mw
@tf.function
def mean_square(batch):
    def replica(rows):
        return tf.reduce_mean(rows**2)

    return strategy.run(replica, args=(batch,))
