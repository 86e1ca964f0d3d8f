"""What the errors of TensorFlow and Keras mean that programs of this field meet most: an atlas.

One row is one error: how it is recognised, what it means, and what to do. Nothing is said of an
error that no row knows.
"""

from __future__ import annotations

import importlib
import itertools
import linecache
import os
import re
import sys
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mwtutor.bridges.estimator.program import methods_called
from mwtutor.system import shadows
from mwtutor.system.variables import asks_for_keras_2
from mwtutor.worker.patches import first_use

#: Characters of a message that are searched, from its beginning.
_SEARCHED = 20_000

KERAS_2 = "This program was written for Keras 2: launch it with --keras 2."
KERAS_2_CELL = "This cell was written for Keras 2: start the session with --keras 2."


@dataclass(frozen=True)
class Row:
    """One error.

    Attributes:
        error: the name of its class, a regular expression.
        message: what is found in its message, a regular expression.
        means: one sentence; names of ``message``'s groups in braces are filled in, and ``program``.
        do: another one.
        in_order: both, where the two lines are known of which the ``{later}`` one belongs above
            the ``{earlier}``, which used TensorFlow first.
        in_cell: both, where they differ for a session's cell.
        applies: what else has to be true of the exception.
    """

    error: str
    message: str
    means: str
    do: str
    in_order: str = ""
    in_cell: str = ""
    applies: Callable[[BaseException, re.Match[str]], bool] = lambda error, match: True


def advise(
    error: BaseException, said: str, place: traceback.FrameSummary | None, *, cell: bool = False
) -> str:
    """What the error means and what to do, in a sentence each; empty if no row knows it.

    Args:
        said: its message.
        place: the line of the user's own that raised it.
        cell: whether it was raised in a session's cell.
    """
    if found := shadows.behind(error):
        name, file = found
        return (
            f"import {name} finds your own {os.path.basename(file)} first, because it is in the"
            " program's directory. Rename that file."
        )
    for row in (*ROWS, *(_KERAS_2_ROWS if _keras_3_by_way_of_tensorflow(place) else ())):
        match = re.search(row.message, said[:_SEARCHED])
        if match and re.fullmatch(row.error, type(error).__name__) and row.applies(error, match):
            words = (row.in_cell if cell else "") or f"{row.means} {row.do}".strip()
            program = os.path.basename(_program()) or "main.py"
            return _in_order(row, place) or words.format(program=program, **match.groupdict())
    return ""


def _in_order(row: Row, place: traceback.FrameSummary | None) -> str:
    first = first_use.line()
    if not row.in_order or first is None or place is None or first.filename != place.filename:
        return ""
    # Further down there is nothing to move: it was used in a function, or in a loop.
    if first.name != place.name or (first.lineno or 0) >= (place.lineno or 0):
        return ""
    return row.in_order.format(earlier=f"Line {first.lineno}", later=f"line {place.lineno}")


def _is_name_of_tensorflow_1(error: BaseException, match: re.Match[str]) -> bool:
    home: Any = importlib.import_module("tensorflow.compat.v1")
    for part in filter(None, (match["package"] or "").split(".")):
        home = getattr(home, part, None)
    return hasattr(home, match["name"])


def _is_kerass(error: BaseException, match: re.Match[str]) -> bool:
    """Whether the attribute was looked for on an object of Keras, not of the user's."""
    looked = getattr(error, "obj", None)
    return any(base.__module__.startswith("keras.") for base in type(looked).__mro__)


def _is_of_a_cluster(error: BaseException, match: re.Match[str]) -> bool:
    return "TF_CONFIG" in os.environ


def _is_transformation(error: BaseException, match: re.Match[str]) -> bool:
    return hasattr(importlib.import_module("tensorflow").data.Dataset, match["name"])


def _is_of_batches(error: BaseException, match: re.Match[str]) -> bool:
    """Whether TensorFlow was looking for the size of a batch."""
    frames = traceback.extract_tb(error.__traceback__)
    return any(frame.name == "compute_batch_size" for frame in frames)


def _is_of_a_dataset(error: BaseException, match: re.Match[str]) -> bool:
    """Whether it is an iterator of TensorFlow's that has ended."""
    frames = traceback.extract_tb(error.__traceback__)
    return type(error).__name__ == "OutOfRangeError" or any(
        "/tensorflow/python/" in frame.filename for frame in frames[-1:]
    )


def _is_of_arguments(error: BaseException, match: re.Match[str]) -> bool:
    """Whether the line that raised it reads ``sys.argv``."""
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and "argv[" in (frames[-1].line or "")


def _keras_3_by_way_of_tensorflow(place: traceback.FrameSummary | None) -> bool:
    """Whether ``--keras 2`` would change anything: it means ``tf.keras``, not ``import keras``."""
    keras = sys.modules.get("keras")
    if keras is None or not str(getattr(keras, "__version__", "")).startswith("3."):
        return False
    if asks_for_keras_2(os.environ):
        return False
    main = sys.modules.get("__main__")
    files = {_program(), place.filename if place else ""}
    cells = "\n".join(getattr(main, "In", ())).splitlines()  # of IPython
    direct = re.compile(r"\s*(?:import|from)\s+keras\b")
    lines = itertools.chain(cells, *map(linecache.getlines, files))
    return not any(map(direct.match, lines))


def _calls_train_alone(error: BaseException, match: re.Match[str]) -> bool:
    """Whether the program's source calls ``train``, and never ``train_and_evaluate``."""
    called = methods_called(Path(_program()))
    return "train" in called and "train_and_evaluate" not in called


def _program() -> str:
    return str(getattr(sys.modules.get("__main__"), "__file__", "") or "")


_ESTIMATOR_ALONE = "Estimator.train trains in one process only."
_ONE_OR_TOGETHER = (
    "Launch it with 1 worker: %mw_launch 1 {program} (in a terminal: mwtutor launch 1 {program})."
    " To train on several, call train_and_evaluate, with --chief --ps 1 or with a"
    " MultiWorkerMirroredStrategy as RunConfig's train_distribute."
)

_FIRST = "TensorFlow was used before the strategy was made."

ROWS = (
    Row(
        "RuntimeError",
        r"Collective ops must be configured at program startup",
        _FIRST,
        "Make the strategy first, right after the imports.",
        "{earlier} used TensorFlow before the strategy was made: move {later} above it.",
    ),
    Row(
        "RuntimeError|ValueError",
        r"(?:devices|parallelism|memory growth|device policy|[Ss]oft placement) cannot be modified"
        r" after|cannot be modified after being initialized|Physical devices cannot be modified",
        "TensorFlow was used before its devices and threads were configured.",
        "Configure them first, right after the imports.",
        "{earlier} used TensorFlow before it was configured: move {later} above it.",
        "The session has configured devices and threads before its first cell. Set them when it"
        " starts, as in %mw_start 2 --threads 1.",
    ),
    Row(
        "ValueError",
        r"Collective ops are already configured",
        "This process has joined a cluster already, and the new strategy is of another one.",
        "Make one MultiWorkerMirroredStrategy in a program, and leave TF_CONFIG as it is.",
        in_cell="This session has joined its cluster already, and the new strategy is of another"
        " one. Use strategy, which every cell has.",
    ),
    Row(
        "BadZipFile|BadZipfile",
        r"",
        "The file is not a complete zip archive, which .keras and .npz files are; another worker"
        " may still be writing it.",
        "Give each worker a path to save to: mwtutor.write_filepath does.",
    ),
    Row(
        "UnknownError",
        r"Could not start gRPC server",
        "Something listens on the port of this task already.",
        "Make one server or strategy in each task, and take its address from TF_CONFIG.",
    ),
    Row(
        r"\w+Error",
        r"Shape mismatch in the collective instance",
        "The workers combine values of different shapes: their models, variables or batches"
        " differ, or one does something, such as saving, that the others do not.",
        "Let every worker do the same, with the same model; make batches equal with"
        " drop_remainder=True, or reduce them over axis=0.",
    ),
    Row(
        r"\w+Error",
        r"Collective instance \d+ expected type \d+ and data_type \d+ but got",
        "The workers have met in different collectives: one does something, such as saving, that"
        " the others do not, or their models differ.",
        "Let every worker do the same, with the same model; mwtutor.write_filepath gives each a"
        " path to save to.",
    ),
    Row(
        "NotFoundError|InvalidArgumentError",
        r"(?s)_temp/part-\d{5}-of-\d{5}.*(?:No such file|not found|did not exist)",
        "Two processes have saved to one path at the same time, and one has moved the other's"
        " files away.",
        "Give each worker a path of its own: mwtutor.write_filepath does.",
    ),
    Row(
        "BlockingIOError|OSError",
        r"unable to lock file",
        "The HDF5 file is already open, in another worker or in this one.",
        "Give each worker a path of its own, for ModelCheckpoint and BackupAndRestore too:"
        " mwtutor.write_filepath does.",
    ),
    Row(
        "FailedPreconditionError",
        r"; Directory not empty",
        "The directory was being deleted while something was still written to it, as when two"
        " workers have a BackupAndRestore on one path.",
        "Give each worker a directory of its own.",
    ),
    Row(
        r"\w+Error",
        r"BufRendezvous",
        "A worker was sending while another one, or the same, made its strategy anew.",
        "Make one MultiWorkerMirroredStrategy in a program, at its start.",
        in_cell="A worker was sending while another one, or the same, made its strategy anew. Use"
        " strategy, which every cell has.",
    ),
    Row(
        r"\w+Error",
        r"unexpectedly tried to connect with a different incarnation",
        "Two processes have taken the same task of the cluster: the same type and index.",
        "Let each one take its own from TF_CONFIG.",
    ),
    Row(
        r"\w+Error",
        r"(?i)\bNCCL|nccl[A-Z]\w+",
        "NCCL, which connects GPUs, has failed.",
        "Launch it with --comm ring to do without, or with --env NCCL_DEBUG=INFO to see why.",
        in_cell="NCCL, which connects GPUs, has failed. Start the session with --comm ring to do"
        " without, or with --env NCCL_DEBUG=INFO to see why.",
    ),
    Row(
        "ResourceExhaustedError|MemoryError|_ArrayMemoryError",
        r"",
        "There is not enough memory, which all tasks of one machine share.",
        "Use smaller batches, a smaller model or fewer workers.",
    ),
    Row(
        # The first two from the others' side, today and in 2.15; the last from the task's own.
        "UnavailableError|DeadlineExceededError",
        r"stopped sending heartbeats|heartbeat timeout|CoordinationService/Heartbeat",
        "A task was not heard of for some seconds: it has ended, stands still, or is cut off.",
        "See what it printed last, and whether its machine can be reached (a pulled cable is in"
        " %mw_status); with --restarts and BackupAndRestore training goes on by itself.",
    ),
    Row(
        "DeadlineExceededError",
        r"",
        "This task has waited for another one for too long.",
        "Every worker has to make the same strategy and take the same steps: %mw_stacks shows where"
        " each one stands.",
        applies=_is_of_a_cluster,
    ),
    Row(
        r"\w+Error",
        r"failed to connect to all addresses|Connection refused|Connection reset by peer"
        r"|Socket closed|(?s:\bUNAVAILABLE\b)",
        "Another task of the cluster has ended, or cannot be reached.",
        "Look at what that task printed last; if the program names addresses itself, take them from"
        " TF_CONFIG.",
        applies=lambda error, match: (
            type(error).__module__.startswith("tensorflow.") and "TF_CONFIG" in os.environ
        ),
    ),
    Row(
        "AttributeError",
        r"module 'tensorflow(?:\._api\.v2\.(?P<package>[\w.]+))?' has no attribute '(?P<name>\w+)'",
        "{name} is a name of TensorFlow 1.",
        "Write import tensorflow.compat.v1 as tf, and call tf.disable_v2_behavior() after it.",
        in_cell="{name} is a name of TensorFlow 1. Write what TensorFlow 2 has in its place, or"
        " launch it as a program: %mw_launch 2 main.py.",
        applies=_is_name_of_tensorflow_1,
    ),
    Row(
        "AttributeError|ModuleNotFoundError",
        r"module 'tensorflow' has no attribute 'contrib'"
        r"|No module named 'tensorflow\.(?:contrib|examples)",
        "This program was written for TensorFlow 1, and what it uses has no successor there.",
        "Look for a version of it that was written for TensorFlow 2.",
    ),
    Row(
        "AttributeError",
        r"Strategy' object has no attribute 'experimental_run_v2'",
        "experimental_run_v2 was renamed in TensorFlow 2.2.",
        "Call strategy.run with the same arguments.",
    ),
    Row(
        "AttributeError",
        r"Strategy' object has no attribute 'experimental_make_numpy_dataset'",
        "experimental_make_numpy_dataset is a method of TensorFlow 1's strategies only.",
        "Call tf.data.Dataset.from_tensor_slices with the same arrays.",
    ),
    Row(
        "TypeError",
        r"Strategy\.__init__\(\) got an unexpected keyword argument 'communication'",
        "communication is an argument of older strategies only.",
        "Pass communication_options=tf.distribute.experimental.CommunicationOptions("
        "implementation=...) instead.",
    ),
    Row(
        "AttributeError",
        r"Dataset' object has no attribute 'make_\w+_iterator'",
        "Iterators are made as in TensorFlow 1.",
        "Write iter(dataset), or tf.compat.v1.data.make_one_shot_iterator(dataset) in a graph.",
    ),
    Row(
        "NotFoundError",
        r"Found an unshardable source dataset",
        "A data set that is not read from files cannot be shared out by files.",
        "Set its option experimental_distribute.auto_shard_policy to AutoShardPolicy.DATA.",
    ),
    Row(
        "ValueError",
        r"When providing an infinite dataset, you must specify the number of steps"
        r"|When passing an infinitely repeating dataset, please specify",
        "The data set is repeated without an end, and no number of steps was given.",
        "Say with steps_per_epoch, validation_steps or steps how many batches to take, or leave out"
        " repeat().",
    ),
    Row(
        "InvalidArgumentError",
        r"Could not apply FILE based sharding",
        "There are fewer files than workers: a worker without one waits for those that raise this.",
        "Write at least one file for each worker, or set the data set's option"
        " experimental_distribute.auto_shard_policy to AutoShardPolicy.DATA.",
    ),
    Row(
        "AttributeError",
        r"'Distributed(?:Dataset|DatasetsFromFunction)' object has no attribute '(?P<name>\w+)'",
        "A distributed data set has no {name} any more.",
        "Call {name} before the data set is distributed.",
        applies=_is_transformation,
    ),
    Row(
        "ValueError",
        r"The `global_batch_size` \d+ is not divisible by `num_replicas_in_sync` (?P<replicas>\d+)",
        "The global batch cannot be shared out equally among {replicas} replicas.",
        "Choose a multiple of {replicas}.",
    ),
    Row(
        "IndexError",
        r"list index out of range",
        "The program reads an argument that it was not given.",
        "Pass it after --; what differs from task to task with, for example,"
        " --args-per-task '{{index}} {{type}}'.",
        applies=_is_of_arguments,
    ),
    Row(
        "IndexError",
        r"list index out of range",
        "The data set has no batches that could be split among replicas.",
        "Call batch, with the global batch size, before the data set is distributed.",
        applies=_is_of_batches,
    ),
    Row(
        "RuntimeError",
        r"Mixing different tf\.distribute\.Strategy objects",
        "Model, optimizer and metrics were not all made under the same strategy.",
        "Make one strategy, and make all of them inside its scope().",
    ),
    Row(
        "AttributeError",
        r"'NoneType' object has no attribute"
        r" '(?:all_reduce|all_gather|merge_call|replica_id_in_sync_group)'",
        "There is no replica here: in the scope, but outside of strategy.run, you speak for all.",
        "Call this, or the optimizer's apply_gradients, in a function that strategy.run calls.",
    ),
    Row(
        "RuntimeError",
        r"[Mm]ethod requires (?:being in )?cross-replica context",
        "This speaks for all replicas, and was called inside one of them.",
        "Call it outside of the function that strategy.run calls; inside,"
        " tf.distribute.get_replica_context() has all_reduce and all_gather.",
    ),
    Row(
        "ValueError",
        r"destinations can not be empty",
        "The argument of a tf.function is on no device yet, and was all-reduced as it came in.",
        "Compute something with it first: tf.identity(x) is enough.",
    ),
    Row(
        "ValueError",
        r"A non-DistributedValues value (?s:.*) cannot be reduced with the given reduce op",
        "A plain tensor cannot be reduced here: it is no replica's part.",
        "Reduce what strategy.run returns.",
    ),
    Row(
        "ValueError",
        r"tf\.function only supports singleton tf\.Variables",
        "A tf.function makes variables each time it is called.",
        "Make the model, the optimizer and the metrics once, outside it.",
    ),
    Row(
        "ValueError",
        r"Train has been called wrong configuration",
        _ESTIMATOR_ALONE,
        _ONE_OR_TOGETHER,
    ),
    Row(
        "ValueError",
        r'If "cluster" is set in TF_CONFIG, it must have one "chief" node',
        _ESTIMATOR_ALONE,
        _ONE_OR_TOGETHER,
        in_cell=f"{_ESTIMATOR_ALONE} A session's tasks are a cluster: launch it as a program,"
        " %mw_launch 1 main.py.",
        applies=_calls_train_alone,
    ),
    Row(
        "ValueError",
        r"Please provide a TPU Name",
        "This program trains on a TPU, and TensorFlow found none.",
        "Make tf.distribute.MultiWorkerMirroredStrategy() in place of the TPU's resolver and"
        " strategy.",
    ),
    Row(
        "ValueError",
        r"There must be at least one ps",
        "ParameterServerStrategy keeps the model on parameter servers, and this cluster has none.",
        "Launch it with --ps 1 as well.",
        in_cell="ParameterServerStrategy keeps the model on parameter servers, and this session has"
        " none. Start it with --chief --ps 1.",
    ),
    Row(
        "ValueError",
        r'If "cluster" is set in TF_CONFIG, it must have one "chief" node',
        "An Estimator without a strategy needs a chief, and parameter servers that hold the model.",
        "Launch it with --chief --ps 1, for tf.estimator.train_and_evaluate.",
        in_cell="A session trains with its strategy. Launch an Estimator as a program:"
        " %mw_launch 2 main.py --chief --ps 1.",
    ),
    Row(
        "ValueError",
        r"Only `STANDALONE_CLIENT` mode is supported when you call `[eE]stimator\.(?:train|eval)",
        "Under a strategy, the cluster in TF_CONFIG is used by train_and_evaluate only.",
        "Call tf.estimator.train_and_evaluate.",
    ),
    Row(
        "ValueError",
        r"In-graph multi-worker training with `MirroredStrategy` is not supported",
        "MirroredStrategy is for one process, and this one belongs to a cluster.",
        "Put a MultiWorkerMirroredStrategy into RunConfig in its place, or launch one worker.",
    ),
    Row(
        "ValueError",
        r"MultiWorkerMirroredStrategy cannot be deep copied in eager mode",
        "The strategy, or what holds it, such as an Estimator's RunConfig, was copied.",
        "With an Estimator call tf.compat.v1.disable_eager_execution() right after the imports;"
        " without, do not copy it.",
    ),
    Row(
        "ModuleNotFoundError",
        r"No module named 'horovod",
        "This is a program of Horovod, and its interpreter has no Horovod.",
        "Launch it with --with horovod --python PATH, an interpreter that has it;"
        " docs/how-to/horovod.md tells how to make one.",
        in_cell="This interpreter has no Horovod. Launch it as a program with --with horovod"
        " --python PATH; docs/how-to/horovod.md tells how to make such an interpreter.",
    ),
    Row(
        "RuntimeError",
        r"SLURM_\w+ not found in environment\. Not running inside a SLURM step",
        "SlurmClusterResolver wants to know from Slurm's srun which task this is, and srun has not"
        " started it.",
        "Use TFConfigClusterResolver() in its place: TF_CONFIG is there here, with --on slurm, and"
        " under srun mwtutor exec.",
    ),
    Row(
        "KeyError",
        r"'(?P<name>SLURM_\w+)'",
        "{name} is a variable of Slurm's srun, which has not started this process.",
        "Take the task's place from TF_CONFIG, or start it where Slurm is: srun mwtutor exec"
        " main.py.",
    ),
    Row(
        "KeyError",
        r"'(?P<name>SM_\w+)'",
        "{name} is a variable of SageMaker's containers, and this process is in none.",
        "Take the task's place from TF_CONFIG; for anything else of the kind there is --env.",
    ),
    Row(
        "KeyError",
        r"'(?P<name>(?:PMIX?|OMPI_COMM_WORLD|MPI_LOCAL)\w+)'",
        "{name} is a variable of mpirun, which has not started this process.",
        "Take the task's place from TF_CONFIG; a program with an argument for it gets that with"
        " --args-per-task '--rank {{index}}'.",
    ),
    Row(
        "OutOfRangeError|StopIteration",
        r"End of sequence|\AStopIteration",
        "The dataset has ended, and the program has asked it for another batch.",
        "Take no more steps than the worker with the fewest batches has, or repeat the dataset.",
        applies=_is_of_a_dataset,
    ),
    Row(
        "ValueError",
        r"Stateful RNNs .* are not yet supported with tf\.distribute\.Strategy",
        "Keras 2 has no recurrent layers with stateful=True under a strategy.",
        "Leave stateful=True out, or make the model without a strategy.",
    ),
    Row(
        "AttributeError|ModuleNotFoundError",
        r"module 'keras\.wrappers' has no attribute 'scikit_learn'|keras\.wrappers\.scikit_learn'",
        "The wrappers for scikit-learn have left tf.keras.",
        "Import KerasClassifier or KerasRegressor from the package scikeras.",
    ),
    Row(
        "ValueError",
        r"To use the BackupAndRestore callback, you model must be built",
        "BackupAndRestore reads its backup into variables, and the model has none yet.",
        "Begin the model with tf.keras.Input and the shape of a row.",
    ),
    Row(
        "ValueError",
        r"A total of \d+ objects could not be loaded"
        r"|Received incompatible tensor with shape .* when attempting to restore variable",
        "The file was saved from another model: its layers have other shapes.",
        "Load it into the same model; if it is a backup that an interrupted training has left, give"
        " BackupAndRestore another directory.",
    ),
    Row(
        r"\w+Error",
        r"Horovod has been shut down",
        "Another rank of Horovod has failed, or has ended while this one still trains.",
        "Look at what it printed last; all ranks have to take the same number of steps.",
    ),
    Row(
        "ValueError",
        r"Unexpected dataset type!",
        "Each worker makes data of its own, with a function, and was given something else.",
        "Give create_per_worker_dataset a function that returns a tf.data.Dataset.",
    ),
    Row(
        "ValueError",
        r"(?:use|pass) this dataset (?:in|to) ClusterCoordinator\.create_per_worker_dataset",
        "Under ParameterServerStrategy the data are on the workers, not on the chief.",
        "Give coordinator.create_per_worker_dataset a function that returns them, and schedule a"
        " function that takes its iterator.",
    ),
    Row(
        "NotImplementedError",
        r"Iterating over an `AsyncDistributedIterator` is not supported",
        "The data are on the workers: the chief cannot take a batch of them.",
        "Give the iterator to coordinator.schedule in args, and call next in the function that it"
        " schedules.",
    ),
    Row(
        "AttributeError",
        r"'ShardedVariable' object has no attribute 'handle'",
        "The strategy's partitioner has cut this variable into parts, and each has a gradient.",
        "Take those of its parts, variable.variables, or give the partitioner a larger"
        " min_shard_bytes.",
    ),
    Row(
        "RuntimeError",
        r"Cannot retrieve the worker index",
        "Only a worker has an index, and this is executed by the chief.",
        "Ask for it in a tf.function that coordinator.schedule is given, or in the one that makes"
        " a worker's data set.",
    ),
    Row(
        "InvalidArgumentError",
        r"Failed copying input tensor from (?s:.*)Unable to parse tensor proto",
        "An argument of a scheduled function cannot be copied to a worker: a dataset, for example,"
        " is in the memory of the process that has made it.",
        "Give coordinator.create_per_worker_dataset a function that returns the dataset, and"
        " schedule with iter() of what it returns.",
    ),
    Row(
        "InvalidArgumentError",
        r"(?P<device>/job:\S+) unknown device",
        "This process knows no device {device}: there is no such task, or it is not connected to"
        " it.",
        "Call tf.config.experimental_connect_to_cluster first; tf.config.list_logical_devices()"
        " shows the devices.",
    ),
)


def _keras_2(error: str, message: str, applies: Any = Row.applies) -> Row:
    return Row(error, message, KERAS_2, "", in_cell=KERAS_2_CELL, applies=applies)


#: What Keras 3 says of what Keras 2 runs.
_KERAS_2_ROWS = (
    _keras_2(
        "AttributeError",
        r"object has no attribute"
        r" '(?:reset_states|fit_generator|evaluate_generator|predict_generator|lr|minimize)'",
        _is_kerass,
    ),
    _keras_2(
        "AttributeError",
        r"module 'keras\._tf_keras\.keras(?:\.layers)?' has no attribute 'experimental'"
        r"|module 'keras\._tf_keras\.keras\.backend' has no attribute"
        r" '(?:set_learning_phase|experimental)'",
    ),
    # tf.keras.utils is what ``import keras`` has.
    _keras_2(
        "AttributeError",
        r"module 'keras\.utils' has no attribute '(?:experimental|SidecarEvaluator)'",
    ),
    _keras_2("ImportError", r"`keras\.optimizers\.legacy` is not supported in Keras 3"),
    _keras_2(
        "TypeError",
        # Without a function's name: under the bridge, which binds the arguments of fit itself.
        r"(?:(?:Trainer\.\w+|ModelCheckpoint\.__init__|Optimizer\.apply_gradients)\(\) |\A"
        r"TypeError: )got an unexpected keyword argument"
        r" '(?:workers|use_multiprocessing|max_queue_size|period"
        r"|experimental_run_tf_function|reset_metrics|experimental_aggregate_gradients)'",
    ),
    _keras_2(
        "ValueError",
        r"The `save_format` argument is deprecated in Keras 3"
        r"|Invalid filepath extension for saving"
        r"|The filename must end in `\.weights\.h5`"
        r"|the filepath provided must end in `\.weights\.h5`"
        r"|The filepath provided must end in `\.keras`"
        r"|File format not supported: filepath=",
    ),
    _keras_2(
        "ValueError",
        r"A KerasTensor cannot be used as input to a TensorFlow function"
        r"|Cannot convert '\d+' to a shape"
        r"|`name` must be passed as a keyword argument\. Received: add_weight"
        r"|Argument\(s\) not recognized: \{'lr':"
        r"|Invalid value for argument `reduction`.* Received: reduction=auto"
        r"|Unrecognized keyword arguments passed to \w+: \{'weights':",
    ),
)
