# misconception: it only matters where a layer is computed
# says: not all on the workers

# %%writefile placed.py
import tensorflow as tf

FIRST, SECOND = "/job:worker/task:0", "/job:worker/task:1"
CHIEF = "/job:chief/task:0"

VARIABLES = [CHIEF, CHIEF, CHIEF, CHIEF]  # where the kernel of each layer is kept
LAYERS = [FIRST, FIRST, SECOND, SECOND]  # where each layer is computed


def make(shapes):
    kernels = []
    for shape, place in zip(shapes, VARIABLES):
        with tf.device(place):
            kernels.append(tf.Variable(tf.random.stateless_normal(shape, [1, 2]) / shape[0] ** 0.5))
    return kernels


def call(kernels, images):
    """The output of each layer."""
    outputs = [images]
    for kernel, place in zip(kernels, LAYERS):
        with tf.device(place):
            outputs.append(tf.nn.relu(outputs[-1] @ kernel))
    return outputs[1:]
