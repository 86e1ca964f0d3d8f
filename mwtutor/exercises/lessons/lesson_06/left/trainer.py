"""The course's program: it learns to read digits, on any number of workers."""

import tensorflow as tf

from mwtutor.datasets import digits

PER_WORKER = 32  # rows in a step


def memory(part="train"):
    images, labels = digits.load_split(part)
    pair = (images / 255.0).astype("float32"), labels.astype("int64")
    return tf.data.Dataset.from_tensor_slices(pair)


def feed(rows, batch):  # lesson 05
    options = tf.data.Options()
    policy = tf.data.experimental.AutoShardPolicy.DATA  # from any number of files
    options.experimental_distribute.auto_shard_policy = policy
    return rows.shuffle(1500, seed=1).batch(batch).with_options(options)


def build(replicas):
    layers = [tf.keras.Input((28, 28, 1)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(10)]
    model = tf.keras.Sequential(layers)
    model.compile(
        optimizer=tf.keras.optimizers.SGD(0.05 * replicas),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    return model


def train(strategy, source=memory, epochs=2, callbacks=()):
    replicas = strategy.num_replicas_in_sync
    with strategy.scope():
        model = build(replicas)
    batch = PER_WORKER * replicas
    history = model.fit(
        feed(source(), batch),
        epochs=epochs,
        validation_data=memory("test").batch(batch),  # lesson 06
        callbacks=[*callbacks],
        verbose=2,
    )
    return model, history.history


if __name__ == "__main__":
    train(tf.distribute.MultiWorkerMirroredStrategy())
