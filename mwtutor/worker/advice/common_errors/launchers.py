"""Errors of programs that expect a different launcher, a platform's variables, or an argument."""

from __future__ import annotations

import linecache
import os
import re
import socket
import traceback
from collections.abc import Iterator

from mwtutor.worker.advice.row import Row, main_file

#: A line that imports a library that itself starts workers.
_ON_SPARK_OR_RAY = re.compile(
    r"\s*(?:import|from)\s+(?:horovod(?:\.|\s+import\s+)(?:spark|ray)"
    r"|tensorflowonspark|spark_tensorflow_distributor)\b"
)


def _is_of_arguments(error: BaseException, match: re.Match[str]) -> bool:
    """Whether the line that raised the error reads ``sys.argv``."""
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and "argv[" in (frames[-1].line or "")


def _is_of_the_environment(error: BaseException, match: re.Match[str]) -> bool:
    """Whether the key was looked up in ``os.environ``, in a task whose cluster is in TF_CONFIG.

    This does not apply to the program's own dictionaries, nor to a Horovod rank, which has no
    TF_CONFIG.
    """
    frames = traceback.extract_tb(error.__traceback__)
    inside = bool(frames) and frames[-1].filename in ("<frozen os>", os.__file__)
    return inside and "TF_CONFIG" in os.environ


def _is_of_this_machine(error: BaseException, match: re.Match[str]) -> bool:
    """Whether the name that was looked up is this machine's, in a task of a cluster."""
    return "TF_CONFIG" in os.environ and match["host"] in (socket.gethostname(), socket.getfqdn())


def _starts_workers_itself(error: BaseException, match: re.Match[str]) -> bool:
    """Whether the program imports a library that starts workers on Spark or Ray."""
    return any(map(_ON_SPARK_OR_RAY.match, _source(error)))


def _source(error: BaseException) -> Iterator[str]:
    """The program's lines, and the line that raised the error, which may be in a cell."""
    yield from linecache.getlines(main_file())
    yield from (frame.line or "" for frame in traceback.extract_tb(error.__traceback__)[-1:])


#: The environment variables of the services on which published programs run.
_SERVICES = {"SageMaker": "SM", "Vertex AI": "AIP|CLOUD_ML", "Azure": "AZ_BATCH|AZUREML"}

ROWS = (
    Row(
        "ValueError",
        r"Please provide a TPU Name",
        "This program trains on a TPU, but TensorFlow found none.",
        "Create a tf.distribute.MultiWorkerMirroredStrategy() instead of the TPU's resolver and"
        " strategy.",
    ),
    Row(
        "IndexError",
        r"list index out of range",
        "The program reads an argument that it was not given.",
        "Pass it after --; if it differs from task to task, use, for example,"
        " --args-per-task '{{index}} {{type}}'.",
        applies=_is_of_arguments,
    ),
    Row(
        "ModuleNotFoundError",
        r"No module named '(?:pyspark|tensorflowonspark|spark_tensorflow_distributor)",
        "This program uses Spark to start its workers, but its interpreter has no Spark.",
        "Put the code of one worker into a script, and launch that script.",
        applies=_starts_workers_itself,
    ),
    Row(
        "ModuleNotFoundError",
        r"No module named 'horovod",
        "This program uses Horovod to start its workers on Spark or Ray, but its interpreter has no"
        " Horovod.",
        "Put the code of one worker, from hvd.init() on, into a script, and launch that script with"
        " --with horovod --python PATH.",
        applies=_starts_workers_itself,
    ),
    Row(
        "ModuleNotFoundError",
        r"No module named 'horovod",
        "This program uses Horovod, but its interpreter has no Horovod.",
        "Launch it with --with horovod --python PATH, where PATH is an interpreter that has"
        " Horovod; docs/how-to/horovod.md explains how to build one.",
        in_cell="This interpreter has no Horovod. Launch it as a program with --with horovod"
        " --python PATH; docs/how-to/horovod.md explains how to build such an interpreter.",
    ),
    Row(
        "RuntimeError",
        r"SLURM_\w+ not found in environment\. Not running inside a SLURM step",
        "SlurmClusterResolver asks Slurm's srun which task this is, but srun did not start this"
        " process.",
        "Use TFConfigClusterResolver() instead: mwtutor sets TF_CONFIG here, with --on slurm, and"
        " under srun mwtutor exec.",
    ),
    Row(
        "ImportError",
        r"must be installed before using the (?P<name>Kubernetes|GCE) [Cc]luster [Rr]esolver",
        "{name}ClusterResolver asks another service for the cluster's tasks, but the package that"
        " it needs for that is not installed.",
        "Use TFConfigClusterResolver() instead: it reads the TF_CONFIG that mwtutor sets.",
    ),
    Row(
        "ValueError",
        r"'(?P<host>[^']+)' is not in list",
        "The program looks for this machine, {host}, in a list of hosts that does not contain it.",
        "Read the task's index from TF_CONFIG.",
        applies=_is_of_this_machine,
    ),
    Row(
        "KeyError",
        r"'(?P<name>SLURM_\w+)'",
        "{name} is set by Slurm's srun, which did not start this process.",
        "Read the task's index from TF_CONFIG, or start the program with Slurm: srun mwtutor exec"
        " {program}.",
        applies=_is_of_the_environment,
        in_text="KeyError",
    ),
    *(
        Row(
            "KeyError",
            rf"'(?P<name>(?:{prefix})_\w+)'",
            f"{{name}} is set by {service}, which did not start this process.",
            "Read the task's index from TF_CONFIG; set anything else with --env {name}=VALUE.",
            in_cell=f"{{name}} is set by {service}, which did not start this process."
            " Read the task's index from TF_CONFIG; set anything else with os.environ.",
            applies=_is_of_the_environment,
            in_text="KeyError",
        )
        for service, prefix in _SERVICES.items()
    ),
    Row(
        "KeyError",
        r"'CLUSTER_SPEC'",
        "CLUSTER_SPEC is not set here; the cluster is described in TF_CONFIG.",
        "Read json.loads(os.environ['TF_CONFIG']) instead; it also contains `cluster` and `task`.",
        applies=_is_of_the_environment,
        in_text="KeyError",
    ),
    Row(
        "KeyError",
        r"'(?P<name>(?:PMIX?|OMPI_COMM_WORLD|MPI_LOCAL)\w+)'",
        "{name} is set by mpirun, which did not start this process.",
        "Read the task's index from TF_CONFIG; if the program has an argument for it, use"
        " --args-per-task '--rank {{index}}'.",
        applies=_is_of_the_environment,
        in_text="KeyError",
    ),
    Row(
        "KeyError",
        r"'(?P<name>\w+)'",
        "The environment variable {name} is not set.",
        "Set it with --env {name}=VALUE; the workers and the task's index are in TF_CONFIG.",
        in_cell="The environment variable {name} is not set. Set it in os.environ first; the list"
        " of workers and the task's index are in TF_CONFIG.",
        applies=_is_of_the_environment,
    ),
    Row(
        "RuntimeError",
        r"Cannot determine binary path",
        "multi_process_runner starts its own cluster, but works only in a test that Bazel runs.",
        "Put the code of one of its processes into a script, and launch that script.",
    ),
    Row(
        "EOFError",
        r"EOF when reading a line",
        "A task's standard input is empty: input() has nothing to read.",
        "Pass the value as an argument, after --, and read it from sys.argv.",
    ),
    Row(
        r"\w+Error",
        r"Horovod has been shut down",
        "Another Horovod rank has failed, or has ended while this one is still training.",
        "Look at what that rank printed last; all ranks must take the same number of steps.",
    ),
)
