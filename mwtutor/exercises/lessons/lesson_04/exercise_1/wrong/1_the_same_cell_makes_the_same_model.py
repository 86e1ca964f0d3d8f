# misconception: every worker runs the cell, so they have the same model
# says: their values differ between the workers

# %%mw
net = tf.keras.Sequential(
    [
        tf.keras.Input((3,)),
        tf.keras.layers.Dense(4, activation="relu"),
        tf.keras.layers.Dense(1),
    ]
)
