# misconception: equal seeds do what the scope does
# says: The values are equal now

# %%mw
tf.keras.utils.set_random_seed(7)
net = tf.keras.Sequential(
    [
        tf.keras.Input((3,)),
        tf.keras.layers.Dense(4, activation="relu"),
        tf.keras.layers.Dense(1),
    ]
)
