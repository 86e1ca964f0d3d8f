"""The page ``docs/errors.md``, which ``python -m tests.support.tables.errors`` writes.

:mod:`mwtutor.worker.advice` alone says what an error means and what to do. For each of its rows, in
order, this module has an example of the message, and the programs of
``tests/unit/worker/test_advice.py`` that raise the error.
"""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator
from pathlib import Path

from mwtutor.interface import MAGIC
from mwtutor.worker.advice.common_errors import ROWS
from mwtutor.worker.advice.common_errors.keras_2 import KERAS_2
from mwtutor.worker.advice.in_text import known_in
from mwtutor.worker.advice.row import Row
from tests.support.tables.exchange_faults import section

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "errors.md"

#: The message, and the programs; without programs, no test raises it.
PRODUCED: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("RuntimeError: Collective ops must be configured at program startup",
     ("strategy_after_ops", "strategy_in_a_function")),
    ("RuntimeError: Virtual devices cannot be modified after being initialized",
     ("devices_after_ops",)),
    ("ValueError: Collective ops are already configured.", ("another_cluster",)),
    ("AttributeError: module 'keras.src.backend.tensorflow.distribution_lib' has no attribute"
     " 'initialize'", ("keras_distribution",)),
    ("ValueError: coordinator_address should be defined.", ()),
    ("RuntimeError: jax.distributed.initialize() must be called before any JAX calls", ()),
    ("ModuleNotFoundError: No module named 'jax'", ("no_jax",)),
    ("UnknownError: Could not start gRPC server", ("port_in_use",)),
    ("InvalidArgumentError: Shape mismatch in the collective instance", ()),
    ("InternalError: Collective instance 107 expected type 0 and data_type 1 but got type 2 and"
     " data_type 3", ()),
    ("InternalError: BufRendezvous", ()),
    ("AbortedError: unexpectedly tried to connect with a different incarnation",
     ("task_taken_twice",)),
    ("InternalError: NCCL", ()),
    ("InternalError: cudaSetDevice() on GPU:0 failed. Status: out of memory", ()),
    ("InternalError: No blas support for stream", ()),
    ("ResourceExhaustedError: OOM when allocating tensor with shape[8] and type float on"
     " /job:localhost/replica:0/task:0/device:GPU:0 by allocator GPU_0_bfc", ()),
    ("ResourceExhaustedError: OOM when allocating tensor", ("tensor_too_large",)),
    ("UnavailableError: The following tasks are unhealthy (stopped sending heartbeats)", ()),
    ("DeadlineExceededError: Timed out waiting for notification", ("deadline",)),
    ("UnavailableError: failed to connect to all addresses", ("unreachable",)),
    ("BadZipFile: File is not a zip file", ()),
    ("InvalidArgumentError: same/model_temp/part-00000-of-00001 did not exist", ("one_path",)),
    ("BlockingIOError: [Errno 11] Unable to synchronously create file (unable to lock file",
     ("hdf5_open_twice",)),
    ("FailedPreconditionError: backup/chief; Directory not empty", ()),
    ("ValueError: To use the BackupAndRestore callback, you model must be built before you call"
     " `fit()`", ("backup_of_nothing",)),
    ("ValueError: A total of 1 objects could not be loaded", ("backup_of_another",)),
    ("AttributeError: module 'tensorflow' has no attribute 'app'", ("app",)),
    ("RuntimeError: `tf.data.Dataset` only supports Python-style iteration in eager mode or within"
     " tf.function.", ("graph_mode",)),
    ("AttributeError: module 'tensorflow' has no attribute 'contrib'", ("contrib",)),
    ("AttributeError: 'MirroredStrategy' object has no attribute 'experimental_run_v2'",
     ("run_v2",)),
    ("AttributeError: 'MirroredStrategy' object has no attribute"
     " 'experimental_make_numpy_dataset'", ("numpy_dataset",)),
    ("TypeError: CollectiveAllReduceStrategy.__init__() got an unexpected keyword argument"
     " 'communication'", ("communication",)),
    ("AttributeError: '_RangeDataset' object has no attribute 'make_one_shot_iterator'",
     ("iterator",)),
    ("ValueError: Stateful RNNs (created with `stateful=True`) are not yet supported with"
     " tf.distribute.Strategy.", ("stateful",)),
    ("AttributeError: module 'keras.wrappers' has no attribute 'scikit_learn'", ("scikit_learn",)),
    ("NotFoundError: Found an unshardable source dataset", ("unshardable",)),
    ("ValueError: When providing an infinite dataset, you must specify the number of steps to run",
     ("endless",)),
    ("TypeError: 'float' object cannot be interpreted as an integer", ("fraction_of_steps",)),
    ("InvalidArgumentError: Could not apply FILE based sharding: the dataset only has 1 file(s),"
     " which is not enough for the required 2 shards/workers", ("too_few_files",)),
    ("AttributeError: 'DistributedDataset' object has no attribute 'map'",
     ("map_after_distribution",)),
    ("ValueError: The `global_batch_size` 7 is not divisible by `num_replicas_in_sync` 2",
     ("odd_batch",)),
    ("IndexError: list index out of range", ("not_batched",)),
    ("OutOfRangeError: End of sequence", ("dataset_ended_in_function",)),
    ("RuntimeError: Mixing different tf.distribute.Strategy objects", ("two_strategies",)),
    ("AttributeError: 'NoneType' object has no attribute 'merge_call'",
     ("gradients_in_the_scope",)),
    ("RuntimeError: Method requires being in cross-replica context", ("reduce_in_a_replica",)),
    ("ValueError: destinations can not be empty", ("passed_through",)),
    ("ValueError: A non-DistributedValues value 1.0 cannot be reduced with the given reduce op",
     ("plain_tensor",)),
    ("ValueError: tf.function only supports singleton tf.Variables created on the first call",
     ("variable_in_function",)),
    ("RuntimeError: `merge_call` called while defining a new graph or a tf.function.",
     ("gradients_in_a_branch",)),
    ("ValueError: Train has been called wrong configuration.", ()),
    ('ValueError: If "cluster" is set in TF_CONFIG, it must have one "chief" node', ()),
    ('ValueError: If "cluster" is set in TF_CONFIG, it must have one "chief" node', ()),
    ("ValueError: Only `STANDALONE_CLIENT` mode is supported when you call `estimator.train`", ()),
    ("ValueError: In-graph multi-worker training with `MirroredStrategy` is not supported.",
     ("mirrored_in_run_config",)),
    ("ValueError: MultiWorkerMirroredStrategy cannot be deep copied in eager mode.",
     ("copied_strategy",)),
    ("ValueError: Please provide a TPU Name to connect to.", ("no_tpu",)),
    ("IndexError: list index out of range", ("argument_read",)),
    ("ModuleNotFoundError: No module named 'tensorflowonspark'", ("tensorflow_on_spark",)),
    ("ModuleNotFoundError: No module named 'horovod'", ("horovod_on_spark", "horovod_on_ray")),
    ("ModuleNotFoundError: No module named 'horovod'", ("no_horovod",)),
    ("RuntimeError: SLURM_PROCID not found in environment. Not running inside a SLURM step?",
     ("slurm_resolver",)),
    ("ImportError: googleapiclient must be installed before using the GCE cluster resolver",
     ("gce_resolver",)),
    ("ValueError: 'node01' is not in list", ()),
    ("KeyError: 'SLURM_PROCID'", ("slurm_variable",)),
    ("KeyError: 'SM_HOSTS'", ("sagemaker_variable",)),
    ("KeyError: 'AIP_MODEL_DIR'", ("vertex_variable",)),
    ("KeyError: 'AZ_BATCH_HOST_LIST'", ("azure_variable",)),
    ("KeyError: 'CLUSTER_SPEC'", ("cluster_variable",)),
    ("KeyError: 'PMI_RANK'", ("mpi_variable",)),
    ("KeyError: 'NUM_WORKERS'", ("unset_variable",)),
    ("RuntimeError: Cannot determine binary path", ("process_runner",)),
    ("EOFError: EOF when reading a line", ("input",)),
    ("UnknownError: Horovod has been shut down.", ()),
    ("ValueError: There must be at least one ps.", ("no_servers",)),
    ("ValueError: Unexpected dataset type!", ("no_dataset_for_workers",)),
    ("ValueError: To use this dataset, you need to pass this dataset to"
     " ClusterCoordinator.create_per_worker_dataset.", ()),
    ("NotImplementedError: Iterating over an `AsyncDistributedIterator` is not supported",
     ("next_on_the_chief",)),
    ("AttributeError: 'ShardedVariable' object has no attribute 'handle'",
     ("gradient_of_parts",)),
    ("RuntimeError: Cannot retrieve the worker index.", ("worker_index_on_the_chief",)),
    ("InvalidArgumentError: Failed copying input tensor from /job:chief to /job:worker"
     " in order to run step: Unable to parse tensor proto", ()),
    ("InvalidArgumentError: Expects 1 arguments, but 0 is provided [Op:Identity]", ()),
    ("InvalidArgumentError: /job:worker/replica:0/task:1/device:CPU:0 unknown device.",
     ("device_of_nobody",)),
)  # fmt: skip

_HEAD = """# Common errors

Errors of TensorFlow and Keras in distributed training, what they mean, and what to do. mwtutor
shows these explanations below the error of a failed run; `mwtutor explain "the message"` and
`mwtutor explain job.log` show them for any other error that its message identifies. This page is
generated from the same tables (`mwtutor/worker/advice/common_errors/`; after a change, run
`python -m tests.support.tables.errors`). *Produced by* names the programs in
`tests/unit/worker/test_advice.py` that raise the error in the tests, on the newest TensorFlow.
Where this line is missing, no program raises the error, and mwtutor recognizes it only by its
text. *See it in lesson* links to the lessons that show the error.

## Messages

"""

_TAIL = f"""
## Programs that were written for Keras 2

Errors that Keras 3 raises in programs written for Keras 2 share one explanation: "{KERAS_2}" The
programs are listed in `WRITTEN_FOR_KERAS_2` in `tests/unit/worker/test_advice.py`; a test runs all
of them with Keras 2.

## A warning that does not mean what it says

"Your input ran out of data; interrupting training.": in an evaluation with more
`validation_steps` than there are batches, the evaluation ends early, and training continues. Keras
3 evaluates all batches in every epoch; Keras 2 does so in the first epoch and evaluates nothing in
the others. Leave `validation_steps` out, or repeat the data. Lesson 06 produces the warning in
`variants`, and `check-steps` counts the epochs.

## A network partition

From inside, a partition looks like tasks that "stopped sending heartbeats". Reproducing it
takes two machines and ten seconds: `tests/e2e/test_machines.py` unplugs a machine.
"""


def page() -> str:
    lines = [_line(*row) for row in zip(ROWS, PRODUCED, strict=True)]
    return _HEAD + "\n".join(lines) + _TAIL + section()


def _line(row: Row, produced: tuple[str, tuple[str, ...]]) -> str:
    message, names = produced
    means, do = advice(row, message)
    shown = f"*Produced by* {', '.join(f'`{name}`' for name in names)}.\n" if names else ""
    if lessons := [lesson for lesson, known in _in_lessons().items() if means in known]:
        named = [(name.partition("_")[0], name) for name in lessons]
        links = ", ".join(f"[{number}](../notebooks/{name}.ipynb)" for number, name in named)
        shown += "\n" * bool(names) + f"See it in lesson {links}.\n"
    title = f"`` {message} ``" if "`" in message else f"`{message}`"
    return f"### {title}\n\n{means}\n\n**What to do:** {do}\n\n{shown}"


@functools.cache
def _in_lessons() -> dict[str, set[str]]:
    """The meanings of the errors in the notebooks, by lesson."""
    found = {}
    for path in sorted((ROOT / "notebooks").glob("*.ipynb")):
        # The text of cells and outputs, which JSON keeps as lists of lines.
        text = "".join(_strings(json.loads(path.read_text())["cells"]))
        known = [one for one in known_in(text) if re.match(r"\w+(Error|Exception): ", one.message)]
        found[path.stem] = {one.means for one in known}
    return found


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value.rstrip("\n") + "\n"
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one)


def advice(row: Row, message: str) -> tuple[str, str]:
    """The row's advice on the message, which must match that row."""
    name, _, words = message.partition(": ")
    match = re.search(row.message, words)
    assert match is not None, message
    assert re.fullmatch(row.error, name), message
    words = {"program": "main.py", **match.groupdict()}
    return row.means.format(**words), MAGIC.render(row.do).format(**words)


if __name__ == "__main__":
    PAGE.write_text(page())
