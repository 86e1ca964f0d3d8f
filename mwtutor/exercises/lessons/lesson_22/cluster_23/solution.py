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
    result.assign_add(x)


for _ in range(20):
    coordinator.schedule(work, args=(tf.constant(own_number()),))
coordinator.join()
note("sum", result)
