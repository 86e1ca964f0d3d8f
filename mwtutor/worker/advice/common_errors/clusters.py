"""Errors of clusters: strategies created too late or twice, collectives, connections, memory."""

from __future__ import annotations

import os
import re

from mwtutor.worker.advice.row import Row

_FIRST = "TensorFlow was used before the strategy was created."


def _is_of_a_cluster(error: BaseException, match: re.Match[str]) -> bool:
    return "TF_CONFIG" in os.environ


ROWS = (
    Row(
        "RuntimeError",
        r"Collective ops must be configured at program startup",
        _FIRST,
        "Create the strategy first, right after the imports.",
        "{earlier} used TensorFlow before the strategy was created: move {later} above it.",
    ),
    Row(
        "RuntimeError|ValueError",
        r"(?:devices|parallelism|memory growth|device policy|[Ss]oft placement) cannot be modified"
        r" after|cannot be modified after being initialized|Physical devices cannot be modified",
        "TensorFlow was used before its devices and threads were configured.",
        "Configure them first, right after the imports.",
        "{earlier} used TensorFlow before it was configured: move {later} above it.",
        "The session configured devices and threads before its first cell. Set them when you "
        "start it, as in %mw_start 2 --threads 1.",
    ),
    Row(
        "ValueError",
        r"Collective ops are already configured",
        "This process has already joined a cluster, and the new strategy belongs to a different"
        " one.",
        "Create one MultiWorkerMirroredStrategy in a program, and leave TF_CONFIG unchanged.",
        in_cell="This session has already joined its cluster, and the new strategy belongs to a"
        " different one. Use `strategy`, which is already defined in every cell.",
    ),
    Row(
        "AttributeError",
        r"backend\.tensorflow\.distribution_lib' has no attribute '(?P<name>\w+)'",
        "keras.distribution works on JAX: on TensorFlow it has no {name}.",
        "Create a tf.distribute.MultiWorkerMirroredStrategy, and the model in its scope; or train"
        " on JAX, with --with jax.",
        in_cell="keras.distribution works on JAX: on TensorFlow it has no {name}. Create the model"
        " inside `with strategy.scope():`.",
    ),
    Row(
        "ValueError",
        r"coordinator_address should be defined|Number of processes must be defined",
        "JAX does not know how many processes there are, or to which address they connect.",
        "Launch the program with --with jax, and call keras.distribution.initialize(), which reads"
        " both from environment variables that mwtutor sets.",
    ),
    Row(
        "RuntimeError",
        r"jax\.distributed\.initialize\(\) must be called before",
        "JAX was used before its processes were connected.",
        "Call keras.distribution.initialize() right after the imports.",
    ),
    Row(
        "ModuleNotFoundError",
        r"No module named 'jax'",
        "The program, or its Keras, uses JAX, but its interpreter has no JAX.",
        "Install JAX for that interpreter: pip install jax.",
    ),
    Row(
        "UnknownError",
        r"Could not start gRPC server",
        "Something is already listening on the port of this task.",
        "Create one server or strategy in each task, and take its address from TF_CONFIG.",
    ),
    Row(
        r"\w+Error",
        r"Shape mismatch in the collective instance",
        "The workers combine values of different shapes: their models, variables or batches"
        " differ, or one does something, such as saving, that the others do not.",
        "Have every worker do the same, with the same model; keep batches equal in size with"
        " drop_remainder=True, or reduce over axis=0.",
    ),
    Row(
        r"\w+Error",
        r"Collective instance \d+ expected type \d+ and data_type \d+ but got",
        "The workers exchange values of different types, or call different collectives at the same"
        " point.",
        "Make the same exchanges on every worker, with values of the same type: @mw_exchanges shows"
        " what each worker exchanges, and at which line.",
    ),
    Row(
        r"\w+Error",
        r"BufRendezvous",
        "TensorFlow discarded data that the workers were exchanging. Usually, a worker has created"
        " its strategy again while it or another worker was sending data.",
        "Create one MultiWorkerMirroredStrategy in a program, at its start.",
        in_cell="TensorFlow discarded data that the workers were exchanging. Usually, a worker has"
        " created its strategy again while it or another worker was sending data. Use `strategy`,"
        " which is already defined in every cell.",
    ),
    Row(
        r"\w+Error",
        r"unexpectedly tried to connect with a different incarnation",
        "Two processes claim the same task of the cluster: the same type and index.",
        "Let each process take its own type and index from TF_CONFIG.",
    ),
    Row(
        r"\w+Error",
        r"(?i)\bNCCL|nccl[A-Z]\w+",
        "NCCL, which connects GPUs, failed.",
        "Launch the program with --comm ring to avoid NCCL, or with --env NCCL_DEBUG=INFO to see"
        " why.",
        in_cell="NCCL, which connects GPUs, failed. Start the session with --comm ring to avoid "
        "NCCL, or with --env NCCL_DEBUG=INFO to see why.",
    ),
    Row(
        "InternalError",
        r"on GPU:\d+ failed\. Status: out of memory",
        "The GPU has no memory left: by default, a TensorFlow process takes almost all of it when"
        " it starts.",
        "Stop the process that uses the GPU (nvidia-smi lists such processes), or train on the CPU"
        " (--gpus-per-worker 0).",
    ),
    Row(
        "InternalError|InvalidArgumentError",
        r"No blas support for stream|No DNN in stream executor",
        "cuBLAS or cuDNN, which compute on the GPU, could not start; one possible cause is that"
        " another process has taken the GPU's memory.",
        "Look up in the log how much memory TensorFlow got (Created device ... with ... MB memory);"
        " nvidia-smi shows which processes use the rest.",
    ),
    Row(
        "ResourceExhaustedError",
        r"device:GPU:\d+ by allocator",
        "There is not enough memory on the GPU.",
        "Use smaller batches or a smaller model; nvidia-smi shows which processes use the memory.",
    ),
    Row(
        "ResourceExhaustedError|MemoryError|_ArrayMemoryError",
        r"",
        "There is not enough memory; all tasks on a machine share it.",
        "Use smaller batches, a smaller model or fewer workers.",
    ),
    Row(
        # The first two patterns are in the messages of other tasks (of current releases, and of
        # 2.15), the last in the message of the task itself.
        "UnavailableError|DeadlineExceededError",
        r"stopped sending heartbeats|heartbeat timeout|CoordinationService/Heartbeat",
        "A task has sent no heartbeats for several seconds: it has ended, hangs, or is cut off.",
        "See what that task printed last, and whether its machine can be reached (@mw_status shows"
        " an unplugged cable); with --restarts and BackupAndRestore, training continues"
        " automatically.",
    ),
    Row(
        "DeadlineExceededError",
        r"",
        "This task waited too long for another task.",
        "Make every worker create the same strategy and take the same steps: @mw_exchanges shows"
        " whose exchange is missing, and @mw_stacks what each worker is executing.",
        applies=_is_of_a_cluster,
        in_text="DeadlineExceededError",
    ),
    Row(
        r"\w+Error",
        r"failed to connect to all addresses|Connection refused|Connection reset by peer"
        r"|Socket closed|(?s:\bUNAVAILABLE\b)",
        "Another task of the cluster has ended, or cannot be reached.",
        "Look at what that task printed last; if the program sets addresses itself, take them from"
        " TF_CONFIG.",
        applies=lambda error, match: (
            type(error).__module__.startswith("tensorflow.") and "TF_CONFIG" in os.environ
        ),
        in_text="UnavailableError",
    ),
)
