# misconception: a model has its variables as soon as it is defined
# says: has no variables yet

# %%mw_scope
net = tf.keras.Sequential(
    [
        tf.keras.layers.Dense(4, activation="relu"),
        tf.keras.layers.Dense(1),
    ]
)
