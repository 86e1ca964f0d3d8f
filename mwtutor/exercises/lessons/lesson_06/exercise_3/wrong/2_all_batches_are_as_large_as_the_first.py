# misconception: all batches are as large as the first
# says: divided as if it were not

# %%mw
def replica_step(x, y):
    return tf.reduce_sum(row_losses(x, y))


@tf.function(reduce_retracing=True)
def global_step(x, y):
    return strategy.reduce("SUM", strategy.run(replica_step, args=(x, y)), axis=None)


def evaluate_by_hand(data):
    distributed = strategy.experimental_distribute_dataset(data)
    size = len(next(iter(data))[0])
    steps = [global_step(x, y) / size for x, y in distributed]
    return float(sum(steps)) / len(steps)
