# %%writefile broken_23.py
from mwtutor.facts import TASK, note, own_number
import tensorflow as tf

resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if resolver.task_type != "chief":
    server = tf.distribute.Server(
        resolver.cluster_spec(),
        job_name=resolver.task_type,
        task_index=resolver.task_id,
        protocol="grpc",
    )
    server.join()
strategy = tf.distribute.ParameterServerStrategy(resolver)
coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
with strategy.scope():
    result = tf.Variable(0.0)


@tf.function
def work(x):
    large = tf.random.normal([1000, 1000])  # this takes a while
    result.assign_add(x + 0.0 * tf.reduce_sum(large @ large))


numbers = [own_number() for _ in range(20)]
for number in numbers:
    coordinator.schedule(work, args=(tf.constant(number),))
coordinator.join()
note("sum", result)
