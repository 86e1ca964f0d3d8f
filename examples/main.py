"""Synchronous training on every worker of a cluster: each step on one global batch.

Run it with ``mwtutor launch 2 main.py``, or as ``python main.py`` on each machine of your own
cluster, with ``TF_CONFIG`` set there.
"""

import argparse

import mnist_setup
import tensorflow as tf

import mwtutor.bridges

mwtutor.bridges.enable()  # for Keras 3; not needed in programs that mwtutor starts

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=4)
parser.add_argument("--steps", type=int, default=40)
parser.add_argument("--batch", type=int, default=32, help="per replica")
args = parser.parse_args()

# Create the strategy before any other TensorFlow operation, because it joins the cluster.
strategy = tf.distribute.MultiWorkerMirroredStrategy()
global_batch_size = args.batch * strategy.num_replicas_in_sync

with strategy.scope():
    model = mnist_setup.build_model()
    model.compile(
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        optimizer=tf.keras.optimizers.Adam(1e-3),
        metrics=["accuracy"],
    )

model.fit(
    mnist_setup.dataset(global_batch_size),
    epochs=args.epochs,
    steps_per_epoch=args.steps,
    verbose=2,
)

# Every worker now has the same weights, so each can test its own copy.
images, labels = mnist_setup.test_data()
predicted = tf.argmax(model(images, training=False), axis=1)
accuracy = tf.reduce_mean(tf.cast(predicted == labels, tf.float32))
print(f"accuracy on {len(labels)} test images: {accuracy:.3f}")
