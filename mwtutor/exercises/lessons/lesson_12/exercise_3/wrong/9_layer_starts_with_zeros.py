# misconception: a layer starts with the weights that the old program started with
# says: did not start with zeros

# %%mw
def train_keras(rows):
    rate = tf.keras.optimizers.schedules.ExponentialDecay(0.3, 10, 0.5, staircase=True)
    penalty = tf.keras.regularizers.L2(0.05)
    with strategy.scope():
        layer = tf.keras.layers.Dense(10, kernel_regularizer=penalty)
        model = tf.keras.Sequential([tf.keras.Input([196]), layer])
        cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(tf.keras.optimizers.SGD(rate), cross_entropy)
    model.fit(rows.batch(64), verbose=0)
    return model
