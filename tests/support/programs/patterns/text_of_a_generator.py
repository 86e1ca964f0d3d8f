"""A subclassed text model, and a generator that never stops yielding sentences."""

import numpy as np
import tensorflow as tf
from toy import result

strategy = tf.distribute.MultiWorkerMirroredStrategy()


class Classifier(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.embedding = tf.keras.layers.Embedding(20, 4)
        self.pooling = tf.keras.layers.GlobalAveragePooling1D()
        self.dropout = tf.keras.layers.Dropout(0.1)
        self.dense = tf.keras.layers.Dense(2)

    def call(self, words, training=False):
        return self.dense(self.dropout(self.pooling(self.embedding(words)), training=training))


def sentences():
    while True:
        words = np.random.randint(20, size=6)
        yield words, words[0] % 2


dataset = tf.data.Dataset.from_generator(
    sentences, output_signature=(tf.TensorSpec([6], tf.int64), tf.TensorSpec([], tf.int64))
)
options = tf.data.Options()
options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
dataset = dataset.batch(8).with_options(options)
with strategy.scope():
    model = Classifier()
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile("adam", loss, metrics=["accuracy"])
history = model.fit(dataset, epochs=2, steps_per_epoch=3, verbose=0)
result(history.history["loss"], *model.get_weights())
