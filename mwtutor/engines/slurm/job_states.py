"""What Slurm says about a job: the states and exit codes that the engine distinguishes."""

from __future__ import annotations

import re

#: The states in which a job has ended, or will not continue.
ENDED = re.compile(
    "BOOT_FAIL|CANCELLED|COMPLETED|DEADLINE|FAILED|NODE_FAIL|OUT_OF_MEMORY|PREEMPTED|TIMEOUT"
)

#: The exit code of a job whose output file cannot be opened.
NO_OUTPUT = "0:53"
