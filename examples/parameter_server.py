"""Asynchronous training: a chief schedules steps, workers compute them, ps tasks store variables.

Run it with ``mwtutor launch 2 parameter_server.py --chief --ps 1``.
"""

import mnist_setup
import tensorflow as tf

import mwtutor

STEPS = 60
resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()

if resolver.task_type in ("worker", "ps"):
    server = tf.distribute.Server(
        resolver.cluster_spec(),
        job_name=resolver.task_type,
        task_index=resolver.task_id,
        protocol=resolver.rpc_layer or "grpc",
        start=True,
    )
    server.join()  # forever: the run ends when the chief does

strategy = tf.distribute.ParameterServerStrategy(resolver)
coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)

with strategy.scope():
    weights = tf.Variable(tf.zeros([784, 10]))
    bias = tf.Variable(tf.zeros([10]))


@tf.function
def step(iterator):
    images, labels = next(iterator)
    images = tf.reshape(images, [-1, 784])
    with tf.GradientTape() as tape:
        logits = images @ weights + bias
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
    for variable, gradient in zip((weights, bias), tape.gradient(loss, [weights, bias])):
        variable.assign_sub(0.05 * gradient)
    return loss


per_worker = coordinator.create_per_worker_dataset(lambda: mnist_setup.dataset(32))
iterator = iter(per_worker)
for done in range(1, STEPS + 1):
    result = coordinator.schedule(step, args=(iterator,))
    if done % 10 == 0:
        coordinator.join()
        mwtutor.report(step=done, loss=result.fetch())
coordinator.join()
print(f"final loss {float(result.fetch()):.4f}")
