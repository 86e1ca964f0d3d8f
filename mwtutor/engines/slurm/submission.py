"""Submit a run's job to Slurm: its script, and the call of ``sbatch``."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from mwtutor.engines import node_check
from mwtutor.exceptions import BadInput, LaunchFailed
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.request.option_kinds import short_repr
from mwtutor.sanitize import whole_number
from mwtutor.system import child
from mwtutor.system.child import ProcessContext
from mwtutor.system.files import write_whole
from mwtutor.targets.jobs import slurm
from mwtutor.targets.jobs.export import Order, Resources

#: Seconds that one of Slurm's commands may take.
_PATIENCE = 60.0

#: Seconds that the job may continue after the run's own time limit, to end cleanly.
_SPARE = 120.0


def job_script(run: RunSpec) -> str:
    """The script that is submitted for a run."""
    request = run.request
    limit = request.timeout + _SPARE if request.timeout else 0.0
    asked = slurm.directives(Order(replace(request, timeout=limit, restarts=0), Resources()))
    if (
        why := "Slurm interprets the backslash in it"
        if "\\" in str(run.path)
        else slurm.unfit(str(run.path))
    ):
        raise BadInput(
            f"Slurm cannot write into the run's directory, {short_repr(str(run.path))}: {why}.",
            "Launch from a directory with another name.",
        )
    # In file names, Slurm expands sequences that begin with a percent sign.
    output = str(run.supervisor_log).replace("%", "%%")
    lines = [*asked, f"--output={slurm.quote(output)}", "--open-mode=append"]
    python = request.python or sys.executable
    command = [python, str(child.ENTRY), "slurm", run.directory]
    asked = [python, *node_check.words(run, elsewhere=False, shared=[run.directory])]
    return slurm.script(lines, command, node_check.question(), asked)


def submit(run: RunSpec, context: ProcessContext) -> None:
    """Submit a run's job, and note its number in the run's directory.

    Raises:
        LaunchFailed: Slurm refuses it.
    """
    script = run.path / "job.sh"
    write_whole(script, job_script(run).encode(errors="surrogateescape"), mode=0o600)
    words = ["sbatch", "--parsable", str(script)]
    done = call_slurm(words, context)
    job = done.stdout.strip().partition(";")[0]
    if done.returncode or whole_number(job) is None:
        raise LaunchFailed(
            f"Slurm refused the job: {_complaint(done)}.",
            "Correct the cause and launch again; nothing was submitted.",
        )
    write_whole(run.path / "slurm.json", json.dumps({"job": job}).encode(), mode=0o600)


def call_slurm(
    words: Sequence[str], context: ProcessContext | None = None
) -> subprocess.CompletedProcess[str]:
    """Execute one of Slurm's commands.

    Raises:
        LaunchFailed: it does not answer.
    """
    where: dict[str, Any] = {"env": context.env, "cwd": context.cwd} if context else {}
    try:
        return subprocess.run(
            words, capture_output=True, text=True, timeout=_PATIENCE,
            stdin=subprocess.DEVNULL, **where,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError) as error:
        problem = f"{words[0]} cannot be run: {error}."
        raise LaunchFailed(problem, "Check that Slurm is running.") from None


def _complaint(done: subprocess.CompletedProcess[str]) -> str:
    lines = [re.sub(r"^sbatch: (error: )?", "", line) for line in done.stderr.splitlines() if line]
    return lines[-1].rstrip(".") if lines else "it gave no reason"
