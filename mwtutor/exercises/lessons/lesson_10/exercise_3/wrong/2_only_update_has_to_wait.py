# misconception: only the update has to wait
# says: exchanges instead of one

# %%mw
import perf


def train(model, parts):
    """Make one update with all rows of all workers; a part is (x, y), 64 of this worker's rows."""
    context = tf.distribute.get_replica_context()
    variables = model.trainable_variables
    total = [tf.zeros_like(variable) for variable in variables]
    for x, y in parts:
        with tf.GradientTape() as tape:
            loss = perf.loss_of(y, model(x, training=True)) / (64 * len(parts) * num_workers)
        gradients = tape.gradient(loss, variables)
        gradients = context.all_reduce("SUM", gradients)
        total = [so_far + gradient for so_far, gradient in zip(total, gradients)]
    for variable, gradient in zip(variables, total):
        variable.assign_sub(0.1 * gradient)
