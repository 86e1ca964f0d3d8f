"""TensorFlow 1: a server, variables on the parameter server, and a session in every worker."""

import json
import os
import time

import tensorflow.compat.v1 as tf
from toy import data, result

tf.disable_v2_behavior()
config = json.loads(os.environ["TF_CONFIG"])
job, index = config["task"]["type"], config["task"]["index"]
cluster = tf.train.ClusterSpec(config["cluster"])
server = tf.train.Server(cluster, job_name=job, task_index=index)
if job == "ps":
    server.join()
x, y = data()
setter = tf.train.replica_device_setter(worker_device=f"/job:worker/task:{index}", cluster=cluster)
with tf.device(setter):
    weights = tf.get_variable("weights", [4, 1])
    came = tf.get_variable("came", [2], initializer=tf.zeros_initializer(), trainable=False)
    loss = tf.reduce_mean((x @ weights - y) ** 2)
    step = tf.train.get_or_create_global_step()
    train = tf.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    come = tf.scatter_update(came, index, 1.0)
assert "ps" in weights.device
while index and not tf.train.latest_checkpoint("model"):
    time.sleep(0.01)  # otherwise, a worker checks for a ready chief only every 30 s
hooks = [tf.train.StopAtStepHook(num_steps=5)]
with tf.train.MonitoredTrainingSession(
    master=server.target, is_chief=index == 0, checkpoint_dir="model", hooks=hooks
) as session:
    session.run_step_fn(lambda step_context: step_context.session.run(come))
    while not session.run_step_fn(lambda step_context: step_context.session.run(came)).all():
        time.sleep(0.01)
    while not session.should_stop():
        session.run(train)
result([5])
