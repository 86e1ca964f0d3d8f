"""Runs on a Ray cluster: the supervisor is a process here; its tasks run on the nodes."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.devices.gpus import Survey
from mwtutor.devices.requirements import installed
from mwtutor.engines.local import reach
from mwtutor.engines.local.engine import LocalEngine
from mwtutor.engines.ray import connection, job, placement
from mwtutor.exceptions import NotSupported
from mwtutor.run.engine import MACHINES, SESSIONS, USAGE
from mwtutor.run.observations.stacks import ThreadStack
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import RunState
from mwtutor.run.request.options import LaunchRequest
from mwtutor.run.request.program import Script
from mwtutor.system.files import read

#: Ray's message before it kills a process whose cluster has lost its head node.
_HEAD_GONE = b"Failed to connect to GCS"


class RayEngine(LocalEngine):
    """See :mod:`mwtutor.engines.ray.engine` and :class:`mwtutor.run.engine.Engine`."""

    name = "ray"
    _cold_role = "ray"
    _here = False
    cannot: Mapping[str, str] = {
        USAGE: "Look at Ray's dashboard.",
        SESSIONS: "Start the session on this machine.",
        MACHINES: "Its nodes are already separate machines.",
    }
    remedies: Mapping[str, str] = {
        "with_": "Start Horovod's processes with Horovod's launcher, and JAX's on this machine.",
        "network": "Leave out --network; SECURITY.md says who can reach the ports of a host.",
        **dict.fromkeys(
            ("gpus_per_worker", "share_gpus", "evaluator_gpus"),
            "Launch on the machine that has the GPUs.",
        ),
        "oversubscribe": "Leave it out: Ray decides what its nodes can run.",
    }

    def check(self, request: LaunchRequest) -> None:
        if not installed("ray"):
            raise NotSupported("Ray is not installed here.", connection.INSTALL)

    def devices(self) -> Survey:
        return Survey()

    def plan(
        self, request: LaunchRequest, script: Script | None, env: dict[str, str]
    ) -> dict[str, Any]:
        return {"warm": False}

    def preview(self, run: RunSpec) -> str:
        """The request to Ray."""
        env = {**os.environ, **run.request.task_env()}
        return placement.request_text(connection.address(self.name, env), run.request)

    def pending(self, run: RunSpec) -> str:
        try:
            return read(job.pending_file(run)).decode()
        except (OSError, ValueError):
            return ""

    def why_lost(self, run: RunSpec, state: RunState) -> str:
        with contextlib.suppress(OSError):
            if _HEAD_GONE in read(run.supervisor_log):
                return (
                    "Ray's head did not answer for a minute, so Ray stopped the run's supervisor"
                    " and its tasks"
                )
        return super().why_lost(run, state)

    def stacks(self, run: RunSpec, task: TaskId) -> tuple[ThreadStack, ...]:
        return reach.ask_stacks(run, task, native=False)


class OwnRayEngine(RayEngine):
    """The same engine, with a new Ray cluster on this machine for one run."""

    name = "ray:local"
    _here = True
