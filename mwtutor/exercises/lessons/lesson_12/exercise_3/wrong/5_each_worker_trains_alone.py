# misconception: equal weights prove that the workers trained together
# says: Equal weights prove nothing

# %%mw
def train_keras(rows):
    rate = tf.keras.optimizers.schedules.ExponentialDecay(0.3, 10, 0.5, staircase=True)
    penalty = tf.keras.regularizers.L2(0.05)
    if True:
        layer = tf.keras.layers.Dense(10, kernel_initializer="zeros", kernel_regularizer=penalty)
        model = tf.keras.Sequential([tf.keras.Input([196]), layer])
        cross_entropy = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(tf.keras.optimizers.SGD(rate), cross_entropy)
    model.fit(rows.batch(64), verbose=0)
    return model
