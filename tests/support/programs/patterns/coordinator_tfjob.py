"""As on Kubeflow: a TFJob starts one program as chief, worker and server, with its flags."""

import argparse
import json
import os

import numpy as np
import tensorflow as tf
from toy import result

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=2)
parser.add_argument("--batch-size", type=int, default=8)
parser.add_argument("--saved-model-dir", required=True)


def dataset(context):
    rows = np.random.rand(64, 28 * 28).astype("float32")
    numbers = tf.data.Dataset.from_tensor_slices((rows, np.arange(64) % 10))
    numbers = numbers.shard(context.num_input_pipelines, context.input_pipeline_id)
    return numbers.shuffle(64).repeat().batch(args.batch_size)


def build_model():
    return tf.keras.Sequential(
        [
            tf.keras.layers.Input((28 * 28,)),
            tf.keras.layers.Dense(64, activation="relu"),
            tf.keras.layers.Dropout(0.2),
            tf.keras.layers.Dense(10, activation="softmax"),
        ]
    )


def train(resolver):
    servers = len(resolver.cluster_spec().as_dict()["ps"])
    strategy = tf.distribute.ParameterServerStrategy(
        resolver,
        variable_partitioner=tf.distribute.experimental.partitioners.FixedShardsPartitioner(
            servers
        ),
    )
    with strategy.scope():
        model = build_model()
        model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(dataset, epochs=args.epochs, steps_per_epoch=10, verbose=2)
    model.save(os.path.join(args.saved_model_dir, "model.keras"))
    result([int(model.optimizer.iterations), len(model.layers[0].trainable_weights)])


def main():
    job = json.loads(os.environ["TF_CONFIG"])
    print("Task type:", job["task"]["type"], "index:", job["task"]["index"])
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    if resolver.task_type in ("worker", "ps"):
        os.environ["GRPC_FAIL_FAST"] = "use_caller"
        server = tf.distribute.Server(
            resolver.cluster_spec(),
            job_name=resolver.task_type,
            task_index=resolver.task_id,
            protocol=resolver.rpc_layer or "grpc",
            start=True,
        )
        server.join()
    else:
        train(resolver)


if __name__ == "__main__":
    args = parser.parse_args()
    main()
