"""Runs on a Slurm cluster: a job whose script is the run's supervisor.

Everything about a run is in its directory, which must be the same on every node. This module
submits the job, queries it and cancels it; for the job itself, see
:mod:`mwtutor.engines.slurm.job`. A job outlives the process that submitted it.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import time
from collections.abc import Mapping

from mwtutor.cluster import TaskId
from mwtutor.engines.slurm import job_states
from mwtutor.engines.slurm.job import order
from mwtutor.engines.slurm.submission import call_slurm, job_script, submit
from mwtutor.exceptions import LaunchFailed, NotSupported
from mwtutor.run.engine import MACHINES, SESSIONS, STACKS, USAGE, Engine
from mwtutor.run.logs.logs import last_words
from mwtutor.run.record.eventlog import record_end, recorded_end
from mwtutor.run.record.events import RunEnded
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import RunState
from mwtutor.run.request.options import LaunchRequest
from mwtutor.system.child import ProcessContext
from mwtutor.system.files import read

#: Seconds for which an answer from Slurm is cached.
_FRESH = 2.0

#: Seconds after a job's end within which its last output may still arrive over the network.
_LATE = 10.0


class SlurmEngine(Engine):
    """See :mod:`mwtutor.engines.slurm.engine`."""

    name = "slurm"
    cannot: Mapping[str, str] = {
        STACKS: "Look at the logs: @mw_logs; or log in to the node.",
        USAGE: "Use Slurm's sstat.",
        SESSIONS: "Start the session on this machine.",
        MACHINES: "Its nodes are already separate machines.",
    }
    remedies: Mapping[str, str] = {
        "with_": "Start Horovod's processes with srun or mpirun, and JAX's with srun, in your own"
        " script.",
        "network": "Leave out --network; SECURITY.md says who can reach the ports of a host.",
        **dict.fromkeys(
            ("gpus_per_worker", "share_gpus", "evaluator_gpus"),
            "mwtutor export --to slurm writes a script that requests GPUs.",
        ),
        "oversubscribe": "Leave it out: Slurm decides what its nodes can run.",
    }

    def __init__(self) -> None:
        self._told: dict[str, tuple[float, dict[str, str] | None]] = {}
        self._ended: dict[str, float] = {}

    def check(self, request: LaunchRequest) -> None:
        if shutil.which("sbatch") is None:
            raise NotSupported(
                "Slurm is not available here: sbatch was not found.",
                "Launch on a machine that can submit jobs; or write the script: mwtutor export --to"
                " slurm.",
            )

    def preview(self, run: RunSpec) -> str:
        return job_script(run)

    def launch(self, run: RunSpec, context: ProcessContext) -> RunSpec:
        submit(run, context)
        return run

    def poll(self, run: RunSpec, state: RunState) -> bool | None:
        told = self._ask(run)
        if told is None:
            return None
        if not job_states.ENDED.match(told.get("JobState", "COMPLETED")):
            return True
        since = self._ended.setdefault(run.directory, time.monotonic())
        return time.monotonic() - since < _LATE

    def pending(self, run: RunSpec) -> str:
        """Why the job has not begun, as Slurm reports it; empty if it has."""
        told = self._ask(run) or {}
        if told.get("JobState") not in ("PENDING", "CONFIGURING"):
            return ""
        why = told.get("Reason", "None")
        return "" if why == "None" else f"Slurm's job {_job(run)} has not started: {why}"

    def holds(self, run: RunSpec) -> bool:
        return False

    def wait(self, run: RunSpec, timeout: float) -> bool:
        time.sleep(timeout)
        return recorded_end(run.events) is not None

    def signal(self, run: RunSpec, task: TaskId, number: int) -> None:
        order(run, verb="kill", task=str(task), signal=number)

    def terminate(self, run: RunSpec, state: RunState, reason: str) -> bool:
        if state.started:
            order(run, verb="stop", reason=reason)
            return True
        if not self._cancel(run):
            return False
        record_end(run.events, RunEnded("stopped", reason, t=run.now()))
        return True

    def out_of_reach(self, run: RunSpec) -> str:
        return "" if self._ask(run) is not None else "Slurm does not answer here"

    def last_resort(self, run: RunSpec, state: RunState) -> str:
        return f"To cancel the job: scancel {_job(run)}."

    def why_lost(self, run: RunSpec, state: RunState) -> str:
        answer = self._ask(run) or {}
        told = answer.get("JobState", "no longer known")
        words = ""
        if not state.started:
            with contextlib.suppress(OSError):
                words = last_words(read(run.supervisor_log))
        if answer.get("ExitCode") == job_states.NO_OUTPUT and not words:
            words = f"its output could not be opened: is {run.directory} on every node?"
        begun = "" if state.started else " before it started a task"
        return f"Slurm's job {_job(run)} ended{begun} ({told}){f': {words}' if words else ''}"

    def cleanup(self, run: RunSpec) -> None:
        self._told.pop(run.directory, None)
        self._ended.pop(run.directory, None)

    def clear(self, run: RunSpec) -> list[str]:
        self._cancel(run)
        return []

    def close(self) -> None:
        """Do nothing: jobs continue without the process that submitted them."""

    def _cancel(self, run: RunSpec) -> bool:
        job = _job(run)
        return bool(job) and not call_slurm(["scancel", job]).returncode

    def _ask(self, run: RunSpec) -> dict[str, str] | None:
        """Slurm's report about the job: empty if Slurm no longer knows it; None if unknown."""
        at, told = self._told.get(run.directory, (-_FRESH, None))
        if time.monotonic() - at < _FRESH:
            return told
        told = _described(_job(run))
        self._told[run.directory] = time.monotonic(), told
        return told


def _described(job: str) -> dict[str, str] | None:
    if not job:
        return {}
    try:
        done = call_slurm(["scontrol", "--oneliner", "show", "job", job])
    except LaunchFailed:
        return None
    if done.returncode:
        return {} if "Invalid job id" in done.stderr else None
    return dict(re.findall(r"(\w+)=(\S*)", done.stdout))


def _job(run: RunSpec) -> str:
    """The job's number; empty if none was submitted."""
    try:
        return str(json.loads(read(run.path / "slurm.json"))["job"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return ""
