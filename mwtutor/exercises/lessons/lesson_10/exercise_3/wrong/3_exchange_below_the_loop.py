# misconception: moving the exchange below the loop is enough
# says: the last part alone

# %%mw
import perf


def train(model, parts):
    """Make one update with all rows of all workers; a part is (x, y), 64 of this worker's rows."""
    context = tf.distribute.get_replica_context()
    variables = model.trainable_variables
    for x, y in parts:
        with tf.GradientTape() as tape:
            loss = perf.loss_of(y, model(x, training=True)) / (64 * num_workers)
        gradients = tape.gradient(loss, variables)
    summed = context.all_reduce("SUM", gradients)
    for variable, gradient in zip(variables, summed):
        variable.assign_sub(0.1 * gradient)
