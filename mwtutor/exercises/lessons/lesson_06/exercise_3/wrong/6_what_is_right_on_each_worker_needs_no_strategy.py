# misconception: what is right on each worker needs no strategy
# says: the rows were not divided

# %%mw
def replica_step(x, y):
    losses = row_losses(x, y)
    return tf.stack([tf.reduce_sum(losses), tf.cast(tf.size(losses), tf.float32)])


@tf.function(reduce_retracing=True)
def global_step(x, y):
    return replica_step(x, y)


def evaluate_by_hand(data):
    total, rows = sum(global_step(x, y) for x, y in data).numpy()
    return float(total / rows)
