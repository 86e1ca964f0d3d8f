"""One step trains a generator and a discriminator, each with its own optimizer."""

import tensorflow as tf
from toy import data, result

strategy = tf.distribute.MultiWorkerMirroredStrategy()
batches = tf.data.Dataset.from_tensor_slices(data()[0]).batch(8)
with strategy.scope():
    generator = tf.keras.Sequential([tf.keras.layers.Input([2]), tf.keras.layers.Dense(4)])
    discriminator = tf.keras.Sequential([tf.keras.layers.Input([4]), tf.keras.layers.Dense(1)])
    optimizers = [tf.keras.optimizers.Adam(0.01), tf.keras.optimizers.Adam(0.02)]
    entropy = (
        tf.keras.losses.BinaryCrossentropy(
            from_logits=True, reduction=tf.keras.losses.Reduction.NONE
        )
        if hasattr(tf.keras.losses, "Reduction")
        else tf.keras.losses.BinaryCrossentropy(from_logits=True, reduction="none")
    )


def average(truth, logits):
    return tf.nn.compute_average_loss(entropy(truth, logits), global_batch_size=8)


@tf.function
def train_step(inputs):
    def replica(real):
        noise = tf.random.normal([tf.shape(real)[0], 2])
        with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:
            fake = generator(noise, training=True)
            said_of_real = discriminator(real, training=True)
            said_of_fake = discriminator(fake, training=True)
            g_loss = average(tf.ones_like(said_of_fake), said_of_fake)
            d_loss = average(tf.ones_like(said_of_real), said_of_real) + average(
                tf.zeros_like(said_of_fake), said_of_fake
            )
        for tape, loss, model, optimizer in (
            (g_tape, g_loss, generator, optimizers[0]),
            (d_tape, d_loss, discriminator, optimizers[1]),
        ):
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        return g_loss, d_loss

    losses = strategy.run(replica, (inputs,))
    return [strategy.reduce("SUM", loss, axis=None) for loss in losses]


losses = []
for inputs in strategy.experimental_distribute_dataset(batches):
    losses += [float(loss) for loss in train_step(inputs)]
result(losses, *generator.get_weights(), *discriminator.get_weights())
