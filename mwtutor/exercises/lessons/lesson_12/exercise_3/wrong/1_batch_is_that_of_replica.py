# misconception: a Keras batch is that of one replica
# says: Your batch is that

# %%mw
def train_keras(rows):
    rate = tf.keras.optimizers.schedules.ExponentialDecay(0.3, 10, 0.5, staircase=True)
    penalty = tf.keras.regularizers.L2(0.05)
    with strategy.scope():
        layer = tf.keras.layers.Dense(10, kernel_initializer="zeros", kernel_regularizer=penalty)
        model = tf.keras.Sequential([tf.keras.Input([196]), layer])
        cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(tf.keras.optimizers.SGD(rate), cross_entropy)
    model.fit(rows.batch(32), verbose=0)
    return model
