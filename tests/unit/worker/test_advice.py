"""Each common error, from a program that raises it with this TensorFlow and this Keras."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import textwrap
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from mwtutor.worker.advice.common_errors import ROWS
from mwtutor.worker.advice.common_errors.keras_2 import KERAS_2
from mwtutor.worker.patches import first_use
from mwtutor.worker.raised import describe
from tests.support.runs import errors
from tests.support.tables.errors import PAGE, PRODUCED, advice, page

ROOT = Path(__file__).parents[3]
PROGRAMS = ROOT / "tests" / "support" / "programs"

#: This cluster is never started: the error comes before it is used.
CLUSTER = '{"cluster": {"worker": ["127.0.0.1:20000"]}, "task": {"type": "worker", "index": 0}}'

MODEL = """
import numpy as np, tensorflow as tf
x = np.ones((8, 1), "float32")
model = tf.keras.Sequential([tf.keras.layers.Input([1]), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
"""
MIRRORED = MODEL + "strategy = tf.distribute.MirroredStrategy(['CPU:0'])\n"
TWO_DEVICES = """
import tensorflow as tf
cpu = tf.config.list_physical_devices("CPU")[0]
tf.config.set_logical_device_configuration(cpu, [tf.config.LogicalDeviceConfiguration()] * 2)
strategy = tf.distribute.MirroredStrategy(["CPU:0", "CPU:1"])
"""
DISTRIBUTED = f"""{TWO_DEVICES}
data = tf.data.Dataset.range(4)
"""
SGD = "import tensorflow as tf\nsgd = tf.keras.optimizers.SGD(0.1)\n"

#: Two processes become worker:1, each at its own address, so that both get a port.
TAKEN_TWICE = """
import json, os, signal, socket, tensorflow as tf
held = [socket.create_server(("", 0)) for _ in range(3)]
first, mine, other = ["127.0.0.1:%d" % one.getsockname()[1] for one in held]
for one in held:
    one.close()
def become(index, second):
    task = {"type": "worker", "index": index}
    os.environ["TF_CONFIG"] = json.dumps({"cluster": {"worker": [first, second]}, "task": task})
    return tf.distribute.MultiWorkerMirroredStrategy()
def start(index, second, signalled):
    child = os.fork()
    if child == 0:
        signal.alarm(60)
        os.read(signalled, 1)
        become(index, second)
        signal.pause()
    return child
now, tell_now = os.pipe()
later, tell_later = os.pipe()
children = [start(0, mine, now), start(1, other, later)]
os.write(tell_now, b" ")
try:
    strategy = become(1, mine)
    os.write(tell_later, b" ")
    strategy.reduce("sum", strategy.run(lambda: tf.constant(1.0)), axis=None)
finally:
    for child in children:
        os.kill(child, signal.SIGKILL)
"""

#: Two processes that save a tf.train.Checkpoint to one path, one step after the other.
ONE_PATH = """
import os, tensorflow as tf
os.makedirs("same")
prefix = "same/model"
part = prefix + "_temp/part-00000-of-00001"
for _ in range(2):
    tf.raw_ops.SaveV2(
        prefix=part, tensor_names=["w"], shape_and_slices=[""], tensors=[tf.zeros([2])]
    )
for _ in range(2):
    tf.raw_ops.MergeV2Checkpoints(
        checkpoint_prefixes=[part], destination_prefix=prefix, delete_old_dirs=True
    )
"""

#: The program, and the beginning of its advice.
RAISING = {
    "device_of_nobody": (
        "import tensorflow as tf\nwith tf.device('/job:worker/task:1'):\n    tf.constant(1.0) + 1",
        "This process does not know the device /job:worker",
    ),
    "no_dataset_for_workers": (
        "from tensorflow.python.distribute.coordinator import values\n"
        "values.get_per_worker_dataset(5, None)",
        "Each worker needs a function that creates its data",
    ),
    "gradient_of_parts": (
        "import tensorflow as tf\n"
        "from tensorflow.python.distribute.sharded_variable import ShardedVariable\n"
        "table = ShardedVariable([tf.Variable([1.0]), tf.Variable([2.0])])\n"
        "with tf.GradientTape() as tape:\n"
        "    loss = tf.reduce_sum(tf.convert_to_tensor(table))\n"
        "tape.gradient(loss, [table])",
        "The strategy's partitioner has split this variable",
    ),
    "worker_index_on_the_chief": (
        "import tensorflow as tf\n"
        "tf.distribute.coordinator.experimental_get_current_worker_index()",
        "Only a worker has an index, but this code runs on the chief.",
    ),
    "next_on_the_chief": (
        "from tensorflow.python.distribute.coordinator import values\n"
        "next(values.PerWorkerDistributedIterator([]))",
        "The data is on the workers: the chief cannot take a batch",
    ),
    "strategy_after_ops": (
        "import tensorflow as tf\nx = tf.constant(1)\n"
        "strategy = tf.distribute.MultiWorkerMirroredStrategy()",
        "Line 2 used TensorFlow before the strategy was created: move line 3 above it.",
    ),
    "strategy_in_a_function": (
        "import tensorflow as tf\ndef make():\n    tf.distribute.MultiWorkerMirroredStrategy()\n"
        "tf.constant(1)\nmake()",
        "TensorFlow was used before the strategy was created. Create the strategy first",
    ),
    "devices_after_ops": (
        "import tensorflow as tf\nx = tf.constant(1)\n"
        "cpu = tf.config.list_physical_devices('CPU')[0]\n"
        "two = [tf.config.LogicalDeviceConfiguration()] * 2\n"
        "tf.config.set_logical_device_configuration(cpu, two)",
        "Line 2 used TensorFlow before it was configured: move line 5 above it.",
    ),
    "visible_devices_after_ops": (
        "import tensorflow as tf\nx = tf.constant(1)\ntf.config.set_visible_devices([], 'CPU')",
        "Line 2 used TensorFlow before it was configured: move line 3 above it.",
    ),
    "threads_after_ops": (
        "import tensorflow as tf\nx = tf.constant(1)\n"
        "tf.config.threading.set_intra_op_parallelism_threads(1)",
        "Line 2 used TensorFlow before it was configured: move line 3 above it.",
    ),
    "another_cluster": (
        "from tensorflow.python.eager import context\n"
        "for leader in ('/job:worker/task:0', '/job:chief/task:0'):\n"
        "    context.context().configure_collective_ops(collective_leader=leader)",
        "This process has already joined a cluster, and the new strategy belongs to a different"
        " one.",
    ),
    "half_a_file": (
        "import numpy, tensorflow as tf\nopen('half.keras', 'wb').write(b'PK')\n"
        "import zipfile\nzipfile.ZipFile('half.keras')",
        "The file is not a complete zip archive",
    ),
    "port_in_use": (
        "import socket, tensorflow as tf\n"
        "taken = socket.create_server(('', 0))\n"
        "address = '127.0.0.1:%d' % taken.getsockname()[1]\n"
        "tf.distribute.Server({'worker': [address]}, job_name='worker', task_index=0)",
        "Something is already listening on the port of this task.",
    ),
    "hdf5_open_twice": (
        "import h5py, os, signal\n"
        "ready, opened = os.pipe()\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    file = h5py.File('backup.h5', 'w')\n"
        "    os.write(opened, b' ')\n"
        "    signal.pause()\n"
        "os.read(ready, 1)\n"
        "try:\n"
        "    h5py.File('backup.h5', 'w')\n"
        "finally:\n"
        "    os.kill(child, signal.SIGKILL)",
        "The HDF5 file is already open, in another worker or in this one.",
    ),
    "no_tpu": (
        "import tensorflow as tf\ntf.distribute.cluster_resolver.TPUClusterResolver(tpu='')",
        "This program trains on a TPU, but TensorFlow found none.",
    ),
    "no_servers": (
        "import tensorflow as tf\n"
        "cluster = tf.train.ClusterSpec({'chief': ['127.0.0.1:1'], 'worker': ['127.0.0.1:2']})\n"
        "resolver = tf.distribute.cluster_resolver.SimpleClusterResolver(\n"
        "    cluster, task_type='chief', task_id=0, rpc_layer='grpc')\n"
        "tf.distribute.ParameterServerStrategy(resolver)",
        "ParameterServerStrategy keeps the model on parameter servers, but this cluster has none."
        " Launch the program with --ps 1 as well.",
    ),
    "task_taken_twice": (TAKEN_TWICE, "Two processes claim the same task of the cluster"),
    "one_path": (ONE_PATH, "Two processes saved to the same path at the same time"),
    "tensor_too_large": (
        "import tensorflow as tf\ntf.zeros([1 << 28, 1 << 28])",
        "There is not enough memory",
    ),
    "array_too_large": (
        "import numpy as np\nnp.zeros([1 << 28, 1 << 28])",
        "There is not enough memory",
    ),
    "deadline": (
        "import tensorflow as tf\n"
        "with tf.compat.v1.Session(config=tf.compat.v1.ConfigProto(operation_timeout_in_ms=100),"
        " graph=tf.Graph()) as session:\n"
        "    with session.graph.as_default():\n"
        "        session.run(tf.queue.FIFOQueue(1, tf.int32).dequeue())",
        "This task waited too long for another task.",
    ),
    "nccl": (  # the closest thing to an NCCL failure without a GPU
        "import tensorflow as tf\n"
        "tf.raw_ops.NcclAllReduce(input=[1.0], reduction='sum', num_devices=1, shared_name='a')",
        "NCCL, which connects GPUs, failed. Launch the program with --comm ring",
    ),
    "unreachable": (
        "import os, socket, tensorflow as tf\nos.environ['GRPC_FAIL_FAST'] = 'true'\n"
        "nobody = socket.socket()\nnobody.bind(('127.0.0.1', 0))\n"
        "tf.config.experimental_connect_to_host('127.0.0.1:%d' % nobody.getsockname()[1])\n"
        "with tf.device('/job:worker/task:0'):\n    tf.constant(1) + 1",
        "Another task of the cluster has ended, or cannot be reached.",
    ),
    "app": ("import tensorflow as tf\ntf.app.run()", "app is a TensorFlow 1 name."),
    "logging": (
        "import tensorflow as tf\ntf.logging.set_verbosity(tf.logging.INFO)",
        "logging is a TensorFlow 1 name. Write import tensorflow.compat.v1 as tf",
    ),
    "session": ("import tensorflow as tf\ntf.Session()", "Session is a TensorFlow 1 name."),
    "optimizer": (
        "import tensorflow as tf\ntf.train.AdamOptimizer()",
        "AdamOptimizer is a TensorFlow 1 name.",
    ),
    "contrib": ("import tensorflow as tf\ntf.contrib.slim", "This program was written for Tenso"),
    "examples": (
        "from tensorflow.examples.tutorials.mnist import input_data",
        "This program was written for TensorFlow 1",
    ),
    "graph_mode": (
        MODEL.replace(
            "np, tensorflow as tf", "np, tensorflow as tf\ntf.compat.v1.disable_eager_execution()"
        )
        + "model.fit(x, x, verbose=0)",
        "This call needs eager execution, which the program has disabled. Leave out",
    ),
    "graph_mode_of_keras_2": (
        "import numpy as np, tensorflow as tf, tf_keras\n"
        "tf.compat.v1.disable_eager_execution()\nx = np.ones((8, 1), 'float32')\n"
        "model = tf_keras.Sequential([tf_keras.layers.Input([1]), tf_keras.layers.Dense(1)])\n"
        "model.compile(tf_keras.optimizers.SGD(0.1), 'mse')\nmodel.fit(x, x, verbose=0)",
        "This call needs eager execution, which the program has disabled.",
    ),
    "users_own_updates": ("class Mine:\n    pass\nMine().get_updates", ""),
    "misspelt": ("import tensorflow as tf\ntf.constnt(1)", ""),
    "own_error": ("raise ValueError('no such row')", ""),
    "run_v2": (
        MIRRORED + "strategy.experimental_run_v2(print)",
        "experimental_run_v2 was renamed",
    ),
    "numpy_dataset": (
        MIRRORED + "strategy.experimental_make_numpy_dataset([1.0])",
        "experimental_make_numpy_dataset is a method of TensorFlow 1",
    ),
    "communication": (
        "import tensorflow as tf\ntf.distribute.MultiWorkerMirroredStrategy(communication=None)",
        "Only older strategies have an argument named communication.",
    ),
    "iterator": (
        "import tensorflow as tf\ntf.data.Dataset.range(3).make_one_shot_iterator()",
        "This code creates an iterator as in TensorFlow 1.",
    ),
    "two_strategies": (
        MIRRORED + "with strategy.scope():\n"
        "    other = tf.keras.Sequential([tf.keras.layers.Input([1]), tf.keras.layers.Dense(1)])\n"
        "other.compile(tf.keras.optimizers.Adam(), 'mse')\n"
        "other.fit(x, x, verbose=0)",
        "The model, the optimizer and the metrics were not all created under the same strategy.",
    ),
    "no_replica": (
        MIRRORED + "with strategy.scope():\n"
        "    tf.distribute.get_replica_context().all_reduce('sum', tf.constant(1.))",
        "This code runs in cross-replica context",
    ),
    "gradients_in_the_scope": (
        MIRRORED + "with strategy.scope():\n"
        "    v, sgd = tf.Variable(1.), tf.keras.optimizers.SGD(0.1)\n"
        "    sgd.apply_gradients([(tf.constant(1.), v)])",
        "This code runs in cross-replica context",
    ),
    "reduce_in_a_replica": (
        MIRRORED + "strategy.run(lambda: strategy.reduce('sum', 1., axis=None))",
        "This method needs cross-replica context, but was called inside a replica.",
    ),
    "gather_in_a_replica": (
        MIRRORED + "strategy.run(lambda: strategy.gather(tf.ones([1]), axis=0))",
        "This method needs cross-replica context, but was called inside a replica.",
    ),
    "passed_through": (
        TWO_DEVICES + "@tf.function\ndef total(x):\n"
        "    return strategy.run(lambda y: tf.distribute.get_replica_context()"
        ".all_reduce('sum', y), [x])\n"
        "total(tf.constant(1.))",
        "An argument of a tf.function has no device until",
    ),
    "plain_tensor": (
        TWO_DEVICES + "strategy.reduce('sum', 1.0, axis=None)",
        "A plain tensor cannot be reduced here",
    ),
    "variable_in_function": (
        "import tensorflow as tf\n@tf.function\ndef step():\n    return tf.Variable(1.)\nstep()",
        "A tf.function creates variables each time it is called.",
    ),
    "unshardable": (
        "import tensorflow as tf\n"
        "from tensorflow.python.data.experimental.ops import distribute\n"
        "options = tf.data.Options()\n"
        "options.experimental_distribute.auto_shard_policy = "
        "tf.data.experimental.AutoShardPolicy.FILE\n"
        "data = tf.data.Dataset.from_tensor_slices([1, 2]).with_options(options)\n"
        "list(distribute._AutoShardDataset(data, 2, 0))",
        "A dataset that is not read from files cannot be sharded by file.",
    ),
    "endless": (  # an error of Keras 2; Keras 3 continues forever
        "import tensorflow as tf, tf_keras\n"
        "model = tf_keras.Sequential([tf_keras.layers.Dense(1)])\n"
        "model.compile('sgd', 'mse')\n"
        "model.evaluate(tf.data.Dataset.from_tensors(([[1.0]], [[1.0]])).repeat())",
        "The dataset repeats forever, but no number of steps was given.",
    ),
    "fraction_of_steps": (
        MODEL + "data = tf.data.Dataset.from_tensor_slices((x, x)).batch(4)\n"
        "model.fit(data, steps_per_epoch=8 / 4, verbose=0)",
        "Keras 3 expects a whole number of steps, but got a float. Write // in place of /",
    ),
    "users_own_float": ("list(range(1.5))", ""),
    "too_few_files": (
        "import tensorflow as tf\n"
        "from tensorflow.python.data.experimental.ops import distribute\n"
        "with tf.io.TFRecordWriter('one.tfrecord') as file:\n    file.write(b'row')\n"
        "data = tf.data.TFRecordDataset(['one.tfrecord'])\n"
        "list(distribute._AutoShardDataset(data, 2, 0))",
        "There are fewer files than workers: a worker that has a file raises this error, and one"
        " without a file waits for it.",
    ),
    "map_after_distribution": (
        DISTRIBUTED + "strategy.experimental_distribute_dataset(data.batch(2)).map(abs)",
        "A distributed dataset no longer has map.",
    ),
    "unknown_after_distribution": (
        DISTRIBUTED + "strategy.experimental_distribute_dataset(data.batch(2)).mop",
        "",
    ),
    "odd_batch": (
        "import tensorflow as tf\n"
        "tf.distribute.InputContext(2, 0, 2).get_per_replica_batch_size(7)",
        "The global batch cannot be divided equally among 2 replicas.",
    ),
    "not_batched": (
        DISTRIBUTED + "strategy.experimental_distribute_dataset(data)",
        "The dataset has no batches to split among replicas.",
    ),
    "users_own_index": ("import tensorflow as tf\n[][0]", ""),
    "stateful": (  # imports tf_keras by name, because Keras 3 has such layers
        "import tensorflow as tf, tf_keras\n"
        "with tf.distribute.MirroredStrategy(['CPU:0']).scope():\n"
        "    tf_keras.layers.LSTM(1, stateful=True)",
        "Keras 2 does not support recurrent layers with stateful=True under a strategy.",
    ),
    "input": ("input('How many epochs? ')", "A task's standard input is empty"),
    "scikit_learn": (
        "import tensorflow as tf\ntf.keras.wrappers.scikit_learn",
        "tf.keras no longer has the wrappers for scikit-learn.",
    ),
    "backup_of_nothing": (
        "import numpy as np, tensorflow as tf\nx = np.ones((8, 1), 'float32')\n"
        "model = tf.keras.Sequential([tf.keras.layers.Dense(1)])\nmodel.compile('sgd', 'mse')\n"
        "model.fit(x, x, verbose=0, callbacks=[tf.keras.callbacks.BackupAndRestore('nothing')])",
        "BackupAndRestore reads its backup into variables, but the model has none yet.",
    ),
    "backup_of_another": (
        MODEL + "left = tf.keras.callbacks.BackupAndRestore('left', delete_checkpoint=False)\n"
        "model.fit(x, x, verbose=0, callbacks=[left])\n"
        "other = tf.keras.Sequential([tf.keras.layers.Input([1]), tf.keras.layers.Dense(2)])\n"
        "other.compile('sgd', 'mse')\n"
        "other.fit(x, x, verbose=0, callbacks=[tf.keras.callbacks.BackupAndRestore('left')])",
        "The file was saved from a different model, whose layers have different shapes.",
    ),
    "mirrored_in_run_config": (
        "import tensorflow as tf\nstrategy = tf.distribute.MirroredStrategy(['CPU:0'])\n"
        "strategy.configure(cluster_spec={'worker': ['a:1', 'b:1']}, task_type='worker',"
        " task_id=0)",
        "MirroredStrategy is for one process, but this process belongs to a cluster.",
    ),
    "copied_strategy": (
        "import copy, json, os, tensorflow as tf\nos.environ.pop('TF_CONFIG')\n"
        "strategy = tf.distribute.MultiWorkerMirroredStrategy()\n"
        "strategy.extended._check_health_thread = None\ncopy.deepcopy(strategy)",
        "The strategy, or an object that contains it, such as an Estimator's RunConfig, was"
        " copied.",
    ),
    "keras_distribution": (
        "import keras\nkeras.distribution.initialize()",
        "keras.distribution works on JAX: on TensorFlow it has no initialize. Create a"
        " tf.distribute.MultiWorkerMirroredStrategy, and the model in its scope; or train on JAX,"
        " with --with jax.",
    ),
    "no_jax": (
        "import sys\nsys.modules.pop('jax', None)\nimport jax",
        "The program, or its Keras, uses JAX, but its interpreter has no JAX. Install JAX",
    ),
    "no_horovod": (
        "import horovod.tensorflow.keras as hvd",
        "This program uses Horovod, but its interpreter has no Horovod. Launch it with --with",
    ),
    "horovod_on_spark": (
        "import horovod.spark",
        "This program uses Horovod to start its workers on Spark or Ray, but its interpreter has no"
        " Horovod. Put the code of one worker, from hvd.init() on, into a script, and launch that"
        " script with --with horovod --python PATH.",
    ),
    "horovod_on_ray": (
        "import horovod.tensorflow.keras as hvd\nfrom horovod.ray import RayExecutor",
        "This program uses Horovod to start its workers on Spark or Ray, but its interpreter has no"
        " Horovod.",
    ),
    "tensorflow_on_spark": (
        "from tensorflowonspark import TFCluster",
        "This program uses Spark to start its workers, but its interpreter has no Spark. Put the"
        " code of one worker into a script, and launch that script.",
    ),
    "spark_distributor": (
        "from spark_tensorflow_distributor import MirroredStrategyRunner",
        "This program uses Spark to start its workers, but its interpreter has no Spark.",
    ),
    "spark_for_data": (
        "from pyspark.sql import SparkSession",
        "",
    ),
    "kubernetes_resolver": (
        "import sys, tensorflow as tf\nsys.modules['kubernetes'] = None\n"
        "tf.distribute.cluster_resolver.KubernetesClusterResolver()",
        "KubernetesClusterResolver asks another service for the cluster's tasks, but the package"
        " that it needs for that is not installed. Use TFConfigClusterResolver() instead: it reads"
        " the TF_CONFIG that mwtutor sets.",
    ),
    "gce_resolver": (
        "import tensorflow as tf\ntf.distribute.cluster_resolver.GCEClusterResolver(\n"
        "    project='p', zone='z', instance_group='g', port=8470)",
        "GCEClusterResolver asks another service for the cluster's tasks, but the package that it"
        " needs for that is not installed.",
    ),
    "index_by_host_name": (
        "import socket\n['node01', 'node02'].index(socket.gethostname())",
        f"The program looks for this machine, {socket.gethostname()}, in a list of hosts that does"
        " not contain it. Read the task's index from TF_CONFIG.",
    ),
    "users_own_list": ("['node01', 'node02'].index('node03')", ""),
    "process_runner": (
        "import sys\nsys.argv = ['main.py']\n"
        "from tensorflow.python.distribute import multi_process_runner\n"
        "multi_process_runner.test_main()",
        "multi_process_runner starts its own cluster, but works only in a test that Bazel runs. Put"
        " the code of one of its processes into a script, and launch that script.",
    ),
    "gradients_in_a_branch": (
        TWO_DEVICES + "with strategy.scope():\n"
        "    v, sgd = tf.Variable(1.), tf.keras.optimizers.SGD(0.1)\n    sgd.build([v])\n"
        "def apply():\n    sgd.apply_gradients([(tf.constant(1.), v)])\n"
        "@tf.function\ndef train(now):\n"
        "    strategy.run(lambda: tf.cond(now, apply, lambda: None))\n"
        "train(tf.constant(True))",
        "Replicas exchange values in a branch, such as tf.cond, or in their own tf.function."
        " Move apply_gradients, or any other call that exchanges values, out of there.",
    ),
    "slurm_resolver": (
        "import tensorflow as tf\ntf.distribute.cluster_resolver.SlurmClusterResolver()",
        "SlurmClusterResolver asks Slurm's srun which task this is",
    ),
    "slurm_variable": (
        "import os\nos.environ['SLURM_PROCID']",
        "SLURM_PROCID is set by Slurm's srun, which did not start this process.",
    ),
    "sagemaker_variable": (
        "import json, os\njson.loads(os.environ['SM_HOSTS'])",
        "SM_HOSTS is set by SageMaker, which did not start this process. Read the task's"
        " index from TF_CONFIG; set anything else with --env SM_HOSTS=VALUE.",
    ),
    "key_of_a_dictionary": ("{'SM_DEPTH': 3}['SM_WIDTH']", ""),
    "vertex_variable": (
        "import os\nos.environ['AIP_MODEL_DIR']",
        "AIP_MODEL_DIR is set by Vertex AI, which did not start this process. Read the"
        " task's index from TF_CONFIG; set anything else with --env AIP_MODEL_DIR=VALUE.",
    ),
    "azure_variable": (
        "import os\nos.environ['AZ_BATCH_HOST_LIST'].split(',')",
        "AZ_BATCH_HOST_LIST is set by Azure, which did not start this process.",
    ),
    "cluster_variable": (
        "import json, os\njson.loads(os.environ['CLUSTER_SPEC'])['cluster']",
        "CLUSTER_SPEC is not set here; the cluster is described in TF_CONFIG. Read"
        " json.loads(os.environ['TF_CONFIG']) instead; it also contains `cluster` and `task`.",
    ),
    "unset_without_a_cluster": (
        "import os\ndel os.environ['TF_CONFIG']\nos.environ['NUM_WORKERS']",
        "",
    ),
    "unset_variable": (
        "import os\nint(os.environ['NUM_WORKERS'])",
        "The environment variable NUM_WORKERS is not set. Set it with --env NUM_WORKERS=VALUE; the"
        " workers and the task's index are in TF_CONFIG.",
    ),
    "mpi_variable": (
        "import os\nint(os.environ['PMI_RANK'])",
        "PMI_RANK is set by mpirun, which did not start this process. Read the task's index from"
        " TF_CONFIG; if the program has an argument for it, use --args-per-task '--rank {index}'.",
    ),
    "argument_read": (
        "import sys\nindex = int(sys.argv[1])",
        "The program reads an argument that it was not given. Pass it after --; if it differs"
        " from task to task, use, for example, --args-per-task '{index} {type}'.",
    ),
    "dataset_ended": (
        "import tensorflow as tf\nit = iter(tf.data.Dataset.range(1))\nnext(it)\nnext(it)",
        "The dataset has ended, but the program asked for another batch.",
    ),
    "dataset_ended_in_function": (
        "import tensorflow as tf\nit = iter(tf.data.Dataset.range(1))\n"
        "step = tf.function(lambda it: next(it))\nstep(it)\nstep(it)",
        "The dataset has ended, but the program asked for another batch.",
    ),
    "users_own_iterator": ("import tensorflow as tf\nnext(iter([]))", ""),
    "users_own_key": ("{}['RANK']", ""),
    "users_own_class": (
        "import tensorflow as tf, keras\nclass Mine:\n    pass\nMine().reset_states()",
        "",
    ),
    "keras_itself": (  # which --keras 2 would not change
        "import keras\nkeras.Sequential().reset_states()",
        "",
    ),
}

WRITTEN_FOR_KERAS_2 = {
    "add_weight": "import tensorflow as tf\nclass Mine(tf.keras.layers.Layer):\n"
    "    def build(self, shape):\n        self.w = self.add_weight('w', shape=[1])\n"
    "    def call(self, x):\n        return x\nMine()(tf.ones([1, 1]))",
    "aggregate": SGD + "v = tf.Variable(1.)\n"
    "sgd.apply_gradients([(v, v)], experimental_aggregate_gradients=False)",
    "batches": MODEL + "model.train_on_batch(x, x, reset_metrics=False)",
    "checkpoint": MODEL + "tf.keras.callbacks.ModelCheckpoint('checkpoint')",
    "checkpoint_ckpt": MODEL
    + "tf.keras.callbacks.ModelCheckpoint('one.ckpt', save_weights_only=True)",
    "checkpoint_period": MODEL + "tf.keras.callbacks.ModelCheckpoint('a.keras', period=2)",
    "compile": MODEL + "model.compile('sgd', 'mse', experimental_run_tf_function=False)",
    "experimental": "import tensorflow as tf\ntf.keras.experimental.LinearModel()",
    "experimental_utils": "import tensorflow as tf\n"
    "tf.keras.utils.experimental.DatasetCreator(lambda context: None)",
    "fit_generator": MODEL + "model.fit_generator(iter([(x, x)]), steps_per_epoch=1, verbose=0)",
    "fit_processes": MODEL + "model.fit(x, x, use_multiprocessing=True, verbose=0)",
    "fit_queue": MODEL + "model.fit(x, x, max_queue_size=2, verbose=0)",
    "fit_workers": MODEL + "model.fit(x, x, workers=2, verbose=0)",
    "keras_tensor": "import tensorflow as tf\ntf.square(tf.keras.Input([1]))",
    "backend_experimental": "import tensorflow as tf\n"
    "tf.keras.backend.experimental.disable_tf_random_generator()",
    "learning_phase": "import tensorflow as tf\ntf.keras.backend.set_learning_phase(1)",
    "legacy": "import tensorflow as tf\ntf.keras.optimizers.legacy.SGD(0.1)",
    "lr": "import tensorflow as tf\ntf.keras.optimizers.SGD(lr=0.1)",
    "lr_read": SGD + "sgd.lr",
    "minimize": SGD + "v = tf.Variable(1.)\nsgd.minimize(lambda: v * v, [v])",
    "preprocessing": "import tensorflow as tf\n"
    "tf.keras.layers.experimental.preprocessing.Rescaling(1.0)",
    "reduction": "import tensorflow as tf\ntf.keras.losses.MeanSquaredError(reduction='auto')",
    "reset_states": MODEL + "model.reset_states()",
    "reset_states_of_a_metric": "import tensorflow as tf\ntf.keras.metrics.Mean().reset_states()",
    "save": MODEL + "model.save('saved')",
    "save_format": MODEL + "model.save('saved', save_format='tf')",
    "save_weights": MODEL + "model.save_weights('weights')",
    "save_weights_ckpt": MODEL + "model.save_weights('weights.ckpt')",
    "save_weights_read": MODEL + "try:\n    model.save_weights('read')\nexcept ValueError:\n"
    "    pass\nmodel.load_weights('read')",
    "shape": "import tensorflow as tf\ntf.keras.Input(1)",
    "sidecar": "import tensorflow as tf\n"
    "tf.keras.utils.SidecarEvaluator(None, None, 'checkpoints')",
    "weights": "import tensorflow as tf\ntf.keras.layers.Dense(1, weights=[1])",
}


def run_all(directory: Path, programs: dict[str, str], **env: str) -> dict[str, Any]:
    for name, source in programs.items():
        (directory / f"{name}.py").write_text(textwrap.dedent(source).lstrip())
    done = subprocess.run(
        [sys.executable, PROGRAMS / "raising.py", directory],
        cwd=directory,
        env={
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "CUDA_VISIBLE_DEVICES": "-1",
            "TF_CONFIG": CLUSTER,
            **env,
        },
        capture_output=True,
        text=True,
        timeout=600,
    )
    told = dict(map(json.loads, done.stdout.splitlines()))
    assert told.keys() == programs.keys(), done.stderr[-2000:]
    return told


#: The errors that TensorFlow 2.21 raised; after a change, run ``python -m
#: tests.support.runs.errors``.
RECORDED = json.loads((errors.GOLDEN / "errors_tensorflow_2.21.json").read_text())

#: Errors whose rows query TensorFlow itself, which the record's tests do not import, or need to be
#: outside a cluster.
ASK_TENSORFLOW = {
    "app",
    "contrib",
    "graph_mode",
    "graph_mode_of_keras_2",
    "logging",
    "map_after_distribution",
    "misspelt",
    "optimizer",
    "session",
    "unknown_after_distribution",
    "unset_without_a_cluster",
    "users_own_updates",
}


@pytest.mark.parametrize("name", sorted(RECORDED.keys() - ASK_TENSORFLOW))
def test_a_recorded_error_gets_the_advice_of_its_row(name, tmp_path, monkeypatch):
    """The error is raised as in a program in a cluster that has loaded Keras 3."""
    program = tmp_path / f"{name}.py"
    source = WRITTEN_FOR_KERAS_2.get(name) or RAISING[name][0]
    program.write_text(textwrap.dedent(source).lstrip())
    main, keras = ModuleType("__main__"), ModuleType("keras")
    main.__file__, keras.__version__ = str(program), "3.15.1"
    for module in (main, keras):
        monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(sys.modules, "tensorflow", None)
    monkeypatch.setenv("TF_CONFIG", CLUSTER)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(first_use, "_first", errors.first_use_of(RECORDED[name], tmp_path))
    said = describe(errors.raised_again(RECORDED[name], tmp_path))["advice"]
    wanted = KERAS_2 if name in WRITTEN_FOR_KERAS_2 else RAISING[name][1]
    assert said.startswith(wanted) if wanted else said == ""


@pytest.mark.full
@pytest.mark.tensorflow
@pytest.mark.skipif(not errors.path().exists(), reason="nothing is recorded of this TensorFlow")
def test_the_record_is_what_this_tensorflow_raises(told):
    """After a change, run ``python -m tests.support.runs.errors``."""
    raised = {name: errors.essence(error["record"]) for name, error in told.items()}
    assert {name: errors.essence(record) for name, record in RECORDED.items()} == raised


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    sources = {name: source for name, (source, _) in RAISING.items()}
    return run_all(tmp_path_factory.mktemp("raising"), sources | WRITTEN_FOR_KERAS_2)


@pytest.mark.full
@pytest.mark.tensorflow
@pytest.mark.parametrize("name", RAISING)
def test_an_error_gets_the_advice_of_its_row(told, name):
    wanted = RAISING[name][1]
    assert told[name]["advice"].startswith(wanted) if wanted else told[name]["advice"] == ""


@pytest.mark.full
@pytest.mark.tensorflow
@pytest.mark.parametrize("name", WRITTEN_FOR_KERAS_2)
def test_a_program_for_keras_2_is_told_so(told, name):
    assert told[name]["advice"] == KERAS_2, told[name]["message"]


@pytest.mark.full
@pytest.mark.tensorflow
def test_keras_2_runs_what_it_is_recommended_for(tmp_path):
    ended = run_all(tmp_path, WRITTEN_FOR_KERAS_2, TF_USE_LEGACY_KERAS="1")
    assert {name: error["message"] for name, error in ended.items() if error} == {}


@pytest.mark.full
@pytest.mark.tensorflow
@pytest.mark.parametrize(
    ("name", "message"), [(name, said) for said, names in PRODUCED for name in names]
)
def test_the_page_shows_what_is_raised(told, name, message):
    error, _, words = message.partition(": ")
    assert told[name]["message"].startswith(f"{error}: ")
    assert words in told[name]["message"]


@pytest.mark.parametrize(("row", "produced"), [*zip(ROWS, PRODUCED, strict=True)])
def test_the_page_names_programs_that_get_the_advice_of_their_row(row, produced):
    message, names = produced
    words = " ".join(advice(row, message))
    in_order = re.escape(row.in_order.format(earlier="Line 2", later="line 2")).replace("2", r"\d+")
    for name in names:
        told = RAISING[name][1]
        assert words.startswith(told) or (in_order and re.fullmatch(in_order, told)), name


def test_the_page_is_made_of_the_rows():
    """After a change, run ``python -m tests.support.tables.errors``."""
    assert PAGE.read_text() == page()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.message[:30])
def test_advice_is_a_sentence_each(row):
    for sentence in filter(None, (row.means, row.do, row.in_order)):
        assert sentence.endswith(".")
    assert len(row.means) + len(row.do) < 300
