# misconception: the right constant repairs it
# says: now it is divided by 99

# %%mw
def replica_step(x, y):
    return tf.reduce_sum(row_losses(x, y)) / 99  # the rows of a batch


@tf.function(reduce_retracing=True)
def global_step(x, y):
    return strategy.reduce("SUM", strategy.run(replica_step, args=(x, y)), axis=None)


def evaluate_by_hand(data):
    steps = [global_step(x, y) for x, y in strategy.experimental_distribute_dataset(data)]
    return float(sum(steps)) / len(steps)
