# == right: the first line is %%mw_scope
# %%mw_scope
net = tf.keras.Sequential(
    [tf.keras.Input((3,)), tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)]
)


# == right: the functional interface, in a with statement
# %%mw
with strategy.scope():
    inputs = tf.keras.Input((3,))
    net = tf.keras.Model(inputs, tf.keras.layers.Dense(1)(tf.keras.layers.Dense(4)(inputs)))


# == right: layers are added, then the model is built
# %%mw_scope
net = tf.keras.Sequential()
net.add(tf.keras.layers.Dense(4, activation="tanh"))
net.add(tf.keras.layers.Dense(1))
net.build((None, 3))


# == wrong: no scope
# %%mw
net = tf.keras.Sequential(
    [tf.keras.Input((3,)), tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)]
)


# == wrong: no shape of the input
# %%mw_scope
net = tf.keras.Sequential([tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])


# == wrong: equal seeds, and no scope
# %%mw
tf.keras.utils.set_random_seed(1)
net = tf.keras.Sequential(
    [tf.keras.Input((3,)), tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)]
)


# == wrong: rows of four numbers
# %%mw_scope
net = tf.keras.Sequential(
    [tf.keras.Input((4,)), tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)]
)


# == wrong: a layer without a bias
# %%mw_scope
net = tf.keras.Sequential(
    [tf.keras.Input((3,)), tf.keras.layers.Dense(4, use_bias=False), tf.keras.layers.Dense(1)]
)


# == wrong: the scope of a MirroredStrategy
# %%mw
with tf.distribute.MirroredStrategy().scope():
    net = tf.keras.Sequential(
        [tf.keras.Input((3,)), tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)]
    )


# == wrong: a list of layers
# %%mw_scope
net = [tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)]
