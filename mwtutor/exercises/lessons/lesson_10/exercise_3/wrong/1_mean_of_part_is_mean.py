# misconception: the mean of a part is the mean
# says: times as large

# %%mw
import perf


def train(model, parts):
    """Make one update with all rows of all workers; a part is (x, y), 64 of this worker's rows."""
    context = tf.distribute.get_replica_context()
    variables = model.trainable_variables
    total = [tf.zeros_like(variable) for variable in variables]
    for x, y in parts:
        with tf.GradientTape() as tape:
            loss = perf.loss_of(y, model(x, training=True)) / (64 * num_workers)
        gradients = tape.gradient(loss, variables)
        total = [so_far + gradient for so_far, gradient in zip(total, gradients)]
    summed = context.all_reduce("SUM", total)
    for variable, gradient in zip(variables, summed):
        variable.assign_sub(0.1 * gradient)
