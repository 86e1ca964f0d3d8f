# %%writefile broken_07.py
from mwtutor.facts import note, own_number
import numpy as np
import tensorflow as tf
import keras

strategy = tf.distribute.MultiWorkerMirroredStrategy()
layer = keras.layers.Dense(1, use_bias=False, kernel_initializer="zeros")
model = keras.Sequential([keras.Input((1,)), layer])
with strategy.scope():
    model.compile(keras.optimizers.SGD(0.1), "mse")
slope = float(own_number() if strategy.cluster_resolver.task_id == 0 else 0)
slope = float(strategy.reduce("SUM", tf.constant(slope), axis=None))
x = np.ones((8, 1), "f4")
model.fit(x, slope * x, batch_size=8, epochs=1, verbose=0)
note("weight", model.get_weights()[0][0, 0])
