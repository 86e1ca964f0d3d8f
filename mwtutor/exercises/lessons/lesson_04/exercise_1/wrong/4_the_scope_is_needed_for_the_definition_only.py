# misconception: the scope is needed for the definition only
# says: they were created later, outside

# %%mw
with strategy.scope():
    net = tf.keras.Sequential(
        [
            tf.keras.layers.Dense(4, activation="relu"),
            tf.keras.layers.Dense(1),
        ]
    )
net(tf.ones((1, 3)))
