"""Errors of programs that expect another launcher, a platform's variables, or an argument."""

from __future__ import annotations

import re
import traceback

from mwtutor.worker.advice.row import Row


def _is_of_arguments(error: BaseException, match: re.Match[str]) -> bool:
    """Whether the line that raised it reads ``sys.argv``."""
    frames = traceback.extract_tb(error.__traceback__)
    return bool(frames) and "argv[" in (frames[-1].line or "")


ROWS = (
    Row(
        "ValueError",
        r"Please provide a TPU Name",
        "This program trains on a TPU, and TensorFlow found none.",
        "Make tf.distribute.MultiWorkerMirroredStrategy() in place of the TPU's resolver and"
        " strategy.",
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
        r"\w+Error",
        r"Horovod has been shut down",
        "Another rank of Horovod has failed, or has ended while this one still trains.",
        "Look at what it printed last; all ranks have to take the same number of steps.",
    ),
)
