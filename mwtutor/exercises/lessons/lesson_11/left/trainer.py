"""The course's program: it learns to read digits, on any number of workers."""

import tensorflow as tf

import mwtutor
from mwtutor.datasets import digits

PER_WORKER = 128  # rows in a step; lesson 10: fewer, longer steps


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
        optimizer=tf.keras.optimizers.SGD(0.05 * replicas * PER_WORKER / 32),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    return model


def train(strategy, source=memory, epochs=2, callbacks=()):
    replicas = strategy.num_replicas_in_sync
    with strategy.scope():
        model = build(replicas)
    batch = PER_WORKER * replicas
    backup = tf.keras.callbacks.BackupAndRestore("backup")  # lesson 09
    data, test, steps = feed(source(), batch), memory("test").batch(batch), {}
    if isinstance(strategy, tf.distribute.ParameterServerStrategy):  # lesson 11
        data, test = source().shuffle(1500).batch(batch).repeat(), test.repeat()
        steps = {"steps_per_epoch": 1500 // batch, "validation_steps": 297 // batch}
    history = model.fit(
        data,
        epochs=epochs,
        validation_data=test,  # lesson 06
        callbacks=[backup, *callbacks],
        verbose=2,
        **steps,
    )
    with mwtutor.write_filepath("digits.keras") as path:  # lesson 08
        model.save(path)
    return model, history.history


if __name__ == "__main__":
    train(tf.distribute.MultiWorkerMirroredStrategy())
