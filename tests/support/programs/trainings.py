"""Small trainings with known results, for engines on several machines.

Each program prints ``trained N VALUE`` in every task that trains. The meaning of N differs by
program; VALUE is the task's weight.
"""

#: A program for two workers that train together.
ESTIMATOR = """
import tensorflow as tf

def data():
    return tf.data.Dataset.from_tensors(([[1.0]], [[2.0]])).repeat(40)

def model(features, labels, mode):
    v1 = tf.compat.v1
    weight = v1.get_variable("weight", initializer=0.0)
    loss = v1.losses.mean_squared_error(labels, weight * features)
    step = v1.train.GradientDescentOptimizer(0.1).minimize(
        loss, v1.train.get_or_create_global_step()
    )
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=step)

class Last(tf.estimator.SessionRunHook):
    def end(self, session):
        self.value = session.run(tf.compat.v1.trainable_variables()[0])

strategy = tf.distribute.experimental.MultiWorkerMirroredStrategy()
last = Last()
estimator = tf.estimator.Estimator(
    model, config=tf.estimator.RunConfig("model", train_distribute=strategy)
)
train = tf.estimator.TrainSpec(data, max_steps=5, hooks=[last])
tf.estimator.train_and_evaluate(estimator, train, tf.estimator.EvalSpec(data, steps=1))
print("trained", strategy.num_replicas_in_sync, last.value)
"""

#: The result of five steps from 0 toward 2, each a fifth of the remaining distance.
ESTIMATOR_ENDS = 2 * (1 - 0.8**5)

#: A program for a chief, a worker and a parameter server.
SERVERS = """
import tensorflow as tf

resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if resolver.task_type in ("worker", "ps"):
    server = tf.distribute.Server(
        resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id
    )
    server.join()
strategy = tf.distribute.ParameterServerStrategy(resolver)
coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
with strategy.scope():
    weight = tf.Variable(0.0)

@tf.function
def step():
    strategy.run(lambda: weight.assign_add(0.25 * (2.0 - weight)))

for _ in range(8):  # one after the other, so that it is the same each time
    coordinator.schedule(step)
    coordinator.join()
print("trained", weight.device.split("/")[1], weight.numpy())
"""

#: The result of eight steps, each a quarter of the remaining distance.
SERVERS_END = 2 * (1 - 0.75**8)
