# == right: Sequential, L2 and ExponentialDecay
# %%mw
def train_keras(rows):
    with strategy.scope():
        regularizer = tf.keras.regularizers.L2(0.05)
        layer = tf.keras.layers.Dense(
            10, kernel_initializer="zeros", kernel_regularizer=regularizer
        )
        model = tf.keras.Sequential([tf.keras.Input([196]), layer])
        decay = tf.keras.optimizers.schedules.ExponentialDecay(0.3, 10, 0.5, staircase=True)
        loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(tf.keras.optimizers.SGD(decay), loss)
    model.fit(rows.batch(64), verbose=0)
    return model


# == right: a functional model, a penalty by hand, and a rate in pieces
# %%mw
def train_keras(rows):
    with strategy.scope():
        inputs = tf.keras.Input((196,))
        outputs = tf.keras.layers.Dense(
            10, kernel_initializer="zeros", kernel_regularizer=lambda k: 0.1 * tf.nn.l2_loss(k)
        )(inputs)
        model = tf.keras.Model(inputs, outputs)
        rate = tf.keras.optimizers.schedules.PiecewiseConstantDecay([9], [0.3, 0.15])
        model.compile(
            optimizer=tf.keras.optimizers.legacy.SGD(rate),
            loss=lambda y, z: tf.keras.losses.sparse_categorical_crossentropy(
                y, z, from_logits=True
            ),
        )
    model.fit(rows.batch(64).prefetch(2), epochs=1, verbose=0)
    return model


# == right: a class of models, and a callback that sets the rate
# %%mw
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        penalty = tf.keras.regularizers.L2(0.05)
        self.dense = tf.keras.layers.Dense(
            10, kernel_initializer="zeros", kernel_regularizer=penalty
        )

    def call(self, x):
        return self.dense(x)


class Halve(tf.keras.callbacks.Callback):
    def on_train_batch_begin(self, batch, logs=None):
        self.model.optimizer.learning_rate.assign(0.3 if batch < 10 else 0.15)


def train_keras(rows):
    with strategy.scope():
        model = Net()
        model.build((None, 196))
        loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(tf.keras.optimizers.SGD(0.3), loss)
        model.fit(rows.batch(64), verbose=0, callbacks=[Halve()])
    return model


# == right: softmax in the model
# %%mw
def train_keras(rows):
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
    with strategy.scope():
        model = tf.keras.Sequential()
        model.add(tf.keras.layers.InputLayer((196,)))
        model.add(
            tf.keras.layers.Dense(
                10,
                activation="softmax",
                kernel_initializer=tf.keras.initializers.Zeros(),
                kernel_regularizer=tf.keras.regularizers.l2(0.05),
            )
        )
        rate = tf.keras.optimizers.schedules.ExponentialDecay(0.3, 10, 0.5, True)
        model.compile(tf.keras.optimizers.SGD(rate), "sparse_categorical_crossentropy")
    model.fit(rows.cache().batch(np.int64(64)).with_options(options), verbose=0)
    return model


# == wrong: a batch of one replica
# says: Your batch is that of one replica.
# -     model.fit(rows.batch(64), verbose=0)
# +     model.fit(rows.batch(32), verbose=0)


# == wrong: half the rate
# -     rate = tf.keras.optimizers.schedules.ExponentialDecay(0.3, 10, 0.5, staircase=True)
# +     rate = tf.keras.optimizers.schedules.ExponentialDecay(0.15, 10, 0.5, staircase=True)


# == wrong: twice the rate
# -     rate = tf.keras.optimizers.schedules.ExponentialDecay(0.3, 10, 0.5, staircase=True)
# +     rate = tf.keras.optimizers.schedules.ExponentialDecay(0.6, 10, 0.5, staircase=True)


# == wrong: a batch of both, twice
# says: 10 steps instead of 20
# -     model.fit(rows.batch(64), verbose=0)
# +     model.fit(rows.batch(128), verbose=0)


# == wrong: divided among the workers by hand
# says: 10 steps instead of 20
# -     model.fit(rows.batch(64), verbose=0)
# +     model.fit(rows.shard(2, task_index).batch(64), verbose=0)


# == wrong: the loss of probabilities
# -         model.compile(tf.keras.optimizers.SGD(rate), cross_entropy)
# +         model.compile(tf.keras.optimizers.SGD(rate), "sparse_categorical_crossentropy")


# == wrong: outside the scope
# -     with strategy.scope():
# +     if True:


# == wrong: the old factor of the penalty
# -     penalty = tf.keras.regularizers.L2(0.05)
# +     penalty = tf.keras.regularizers.L2(0.1)


# == wrong: without the penalty
# -     penalty = tf.keras.regularizers.L2(0.05)
# +     penalty = None


# == wrong: a rate that stays
# -     rate = tf.keras.optimizers.schedules.ExponentialDecay(0.3, 10, 0.5, staircase=True)
# +     rate = 0.3


# == wrong: a rate that falls with each step
# -     rate = tf.keras.optimizers.schedules.ExponentialDecay(0.3, 10, 0.5, staircase=True)
# +     rate = tf.keras.optimizers.schedules.ExponentialDecay(0.3, 10, 0.5)


# == wrong: two epochs
# says: took 40 steps; the Estimator took 20 steps on the same rows.
# -     model.fit(rows.batch(64), verbose=0)
# +     model.fit(rows.batch(64), epochs=2, verbose=0)


# == wrong: shuffled
# -     model.fit(rows.batch(64), verbose=0)
# +     model.fit(rows.shuffle(1280, seed=1).batch(64), verbose=0)


# == wrong: Adam
# -         model.compile(tf.keras.optimizers.SGD(rate), cross_entropy)
# +         model.compile(tf.keras.optimizers.Adam(rate), cross_entropy)


# == wrong: a model of Keras 3
# says: The model is one of Keras 3
# needs: keras3
# %%mw
def train_keras(rows):
    import keras

    with strategy.scope():
        layer = keras.layers.Dense(10, kernel_initializer="zeros")
        model = keras.Sequential([keras.Input([196]), layer])
        cross_entropy = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(keras.optimizers.SGD(0.3), cross_entropy)
    model.fit(rows.batch(64), verbose=0)
    return model


# == wrong: random weights at first
# says: did not start with zeros
# -         layer = tf.keras.layers.Dense(10, kernel_initializer="zeros", kernel_regularizer=penalty)
# +         layer = tf.keras.layers.Dense(10, kernel_regularizer=penalty)


# == wrong: compiled, and not trained
# -     model.fit(rows.batch(64), verbose=0)
# -     return model
# +     return model


# == not yet: fit's history is returned
# -     model.fit(rows.batch(64), verbose=0)
# -     return model
# +     return model.fit(rows.batch(64), verbose=0)


# == wrong: without a bias
# -         layer = tf.keras.layers.Dense(10, kernel_initializer="zeros", kernel_regularizer=penalty)
# +         layer = tf.keras.layers.Dense(
# +             10, use_bias=False, kernel_initializer="zeros", kernel_regularizer=penalty
# +         )


# == not judged: only the chief trains
# says: another worker takes no part in this collective
# -     model.fit(rows.batch(64), verbose=0)
# +     if is_chief:
# +         model.fit(rows.batch(64), verbose=0)


# == wrong: a penalty that Keras 2 does not accept here
# says: raised or returned ValueError: Expected a symbolic
# %%mw
class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(10, kernel_initializer="zeros")

    def call(self, x):
        z = self.dense(x)
        self.add_loss(0.1 * tf.nn.l2_loss(self.dense.kernel))
        return z


class Halve(tf.keras.callbacks.Callback):
    def on_train_batch_begin(self, batch, logs=None):
        self.model.optimizer.learning_rate.assign(0.3 if batch < 10 else 0.15)


def train_keras(rows):
    with strategy.scope():
        model = Net()
        model.build((None, 196))
        loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile(tf.keras.optimizers.SGD(0.3), loss)
        model.fit(rows.batch(64), verbose=0, callbacks=[Halve()])
    return model


# == wrong: no batches
# says: `rows` is not in batches
# -     model.fit(rows.batch(64), verbose=0)
# +     model.fit(rows, verbose=0)


# == wrong: a batch size instead of batches
# says: `rows` is not in batches
# -     model.fit(rows.batch(64), verbose=0)
# +     model.fit(rows, batch_size=64, verbose=0)


# == wrong: an index that does not exist
# says: raised or returned IndexError: list index out of range
# -     return model
# +     return [model][1]


# == wrong: no batches, outside the scope
# says: raised or returned ValueError: Exception encountered when calling layer
# -     with strategy.scope():
# +     if True:
# -     model.fit(rows.batch(64), verbose=0)
# +     model.fit(rows, verbose=0)
