"""A client evaluates on the workers of a remote cluster, which is given as a dictionary."""

import json
import os

import tensorflow as tf
from tensorflow.python.distribute.distribute_config import DistributeConfig
from toy import result

v1 = tf.compat.v1
v1.disable_eager_execution()
told = json.loads(os.environ.pop("TF_CONFIG"))
workers = {"worker": told["cluster"]["worker"]}
if told["task"]["type"] == "worker":
    tf.distribute.Server(workers, "worker", told["task"]["index"]).join()

asked = []


def input_fn(input_context):
    asked.append(input_context.input_pipeline_id)
    rows = tf.data.Dataset.range(6)
    return rows.shard(input_context.num_input_pipelines, asked[-1]).batch(1)


def model_fn(features, mode):
    v1.get_variable("weight", [])
    numbers = tf.cast(features, tf.float32)
    metrics = {"mean": v1.metrics.mean(numbers)}
    return tf.estimator.EstimatorSpec(mode, loss=tf.reduce_mean(numbers), eval_metric_ops=metrics)


mirrored = tf.distribute.MirroredStrategy()
together = DistributeConfig(mirrored, mirrored, workers)
config = tf.estimator.RunConfig("model", experimental_distribute=together)
found = tf.estimator.Estimator(model_fn, config=config).evaluate(input_fn)
assert (asked, found["mean"]) == ([0, 1], 2.5), (asked, found)
result(found["loss"])
