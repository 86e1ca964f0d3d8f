# == right: the second half first
# - VARIABLES = [FIRST, FIRST, SECOND, SECOND]  # where the kernel of each layer is kept
# - LAYERS = [FIRST, FIRST, SECOND, SECOND]  # where each layer is computed
# + VARIABLES = [SECOND] * 2 + [FIRST] * 2
# + LAYERS = [SECOND] * 2 + [FIRST] * 2


# == right: tuples of complete names
# - VARIABLES = [FIRST, FIRST, SECOND, SECOND]  # where the kernel of each layer is kept
# - LAYERS = [FIRST, FIRST, SECOND, SECOND]  # where each layer is computed
# + VARIABLES = 2 * ("/job:worker/replica:0/task:0/device:CPU:0",) + 2 * (
# +     "/job:worker/replica:0/task:1/device:CPU:0",
# + )
# + LAYERS = 2 * ("/job:worker/replica:0/task:0/device:CPU:0",) + 2 * (
# +     "/job:worker/replica:0/task:1/device:CPU:0",
# + )


# == right: specifications of devices
# %%writefile placed.py
import tensorflow as tf

FIRST, SECOND = "/job:worker/task:0", "/job:worker/task:1"
CHIEF = "/job:chief/task:0"

VARIABLES = [
    tf.DeviceSpec(job="worker", task=at // 2, device_type="CPU", device_index=0) for at in range(4)
]
LAYERS = [
    tf.DeviceSpec(job="worker", task=at // 2, device_type="CPU", device_index=0) for at in range(4)
]


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


# == right: a class of layers, and no lists
# %%writefile placed.py
import tensorflow as tf

MIDDLE = 2  # the first layer on the second worker


class Layer(tf.Module):
    def __init__(self, shape, task):
        super().__init__()
        self.device = f"/job:worker/task:{task}"
        with tf.device(self.device):
            start = tf.random.stateless_normal(shape, [1, 2]) / shape[0] ** 0.5
            self.kernel = tf.Variable(start)

    def __call__(self, x):
        with tf.device(self.device):
            return tf.nn.relu(tf.matmul(x, self.kernel))


layers = []


def make(shapes):
    layers[:] = [Layer(shape, int(at >= MIDDLE)) for at, shape in enumerate(shapes)]
    return [layer.kernel for layer in layers]


def call(kernels, images):
    outputs = []
    for layer in layers:
        outputs.append(layer(outputs[-1] if outputs else images))
    return tuple(outputs)


# == wrong: in turn
# - VARIABLES = [FIRST, FIRST, SECOND, SECOND]  # where the kernel of each layer is kept
# - LAYERS = [FIRST, FIRST, SECOND, SECOND]  # where each layer is computed
# + VARIABLES = [FIRST, SECOND, FIRST, SECOND]
# + LAYERS = [FIRST, SECOND, FIRST, SECOND]


# == wrong: kept on the workers, computed by the chief
# - VARIABLES = [FIRST, FIRST, SECOND, SECOND]  # where the kernel of each layer is kept
# - LAYERS = [FIRST, FIRST, SECOND, SECOND]  # where each layer is computed
# + VARIABLES = [FIRST, FIRST, SECOND, SECOND]
# + LAYERS = [CHIEF] * 4


# == wrong: kept by the chief, computed on the workers
# - VARIABLES = [FIRST, FIRST, SECOND, SECOND]  # where the kernel of each layer is kept
# - LAYERS = [FIRST, FIRST, SECOND, SECOND]  # where each layer is computed
# + VARIABLES = [CHIEF] * 4
# + LAYERS = [FIRST, FIRST, SECOND, SECOND]


# == wrong: one layer and three
# - VARIABLES = [FIRST, FIRST, SECOND, SECOND]  # where the kernel of each layer is kept
# - LAYERS = [FIRST, FIRST, SECOND, SECOND]  # where each layer is computed
# + VARIABLES = [FIRST, SECOND, SECOND, SECOND]
# + LAYERS = [FIRST, SECOND, SECOND, SECOND]


# == wrong: all on one worker
# - VARIABLES = [FIRST, FIRST, SECOND, SECOND]  # where the kernel of each layer is kept
# - LAYERS = [FIRST, FIRST, SECOND, SECOND]  # where each layer is computed
# + VARIABLES = [FIRST] * 4
# + LAYERS = [FIRST] * 4


# == wrong: kept in halves, the second layer computed on the second worker
# says: one kernel is copied there at every step
# - VARIABLES = [FIRST, FIRST, SECOND, SECOND]  # where the kernel of each layer is kept
# - LAYERS = [FIRST, FIRST, SECOND, SECOND]  # where each layer is computed
# + VARIABLES = [FIRST, FIRST, SECOND, SECOND]
# + LAYERS = [FIRST, SECOND, SECOND, SECOND]


# == wrong: a worker that is not there
# - VARIABLES = [FIRST, FIRST, SECOND, SECOND]  # where the kernel of each layer is kept
# - LAYERS = [FIRST, FIRST, SECOND, SECOND]  # where each layer is computed
# + VARIABLES = ["/job:worker/task:1"] * 2 + ["/job:worker/task:2"] * 2
# + LAYERS = ["/job:worker/task:1"] * 2 + ["/job:worker/task:2"] * 2


# == wrong: three places for four layers
# says: There are 3 kernels and 3 outputs; the model has 4 layers.
# - VARIABLES = [FIRST, FIRST, SECOND, SECOND]  # where the kernel of each layer is kept
# - LAYERS = [FIRST, FIRST, SECOND, SECOND]  # where each layer is computed
# + VARIABLES = [FIRST, FIRST, SECOND]
# + LAYERS = [FIRST, FIRST, SECOND]


# == wrong: outer layers on one worker, inner ones on the other
# - VARIABLES = [FIRST, FIRST, SECOND, SECOND]  # where the kernel of each layer is kept
# - LAYERS = [FIRST, FIRST, SECOND, SECOND]  # where each layer is computed
# + VARIABLES = [FIRST, SECOND, SECOND, FIRST]
# + LAYERS = [FIRST, SECOND, SECOND, FIRST]
