"""Request from Ray a connection, places for a run's tasks, and an actor in each place.

If Ray reports that something is impossible, this module raises one of mwtutor's errors.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from mwtutor.exceptions import LaunchFailed, MwtutorError, NotSupported, message_of
from mwtutor.run.request.request import LaunchRequest
from mwtutor.system import ports

ADDRESS = "RAY_ADDRESS"

INSTALL = "Install the version that the cluster's nodes have: python -m pip install ray==VERSION."

_START_ONE = (
    "start a cluster here: ray start --head; or start one for this run only: --on ray:local"
)

#: Seconds within which a cluster's address must answer.
_ANSWER = 5.0


def bundles(request: LaunchRequest) -> list[dict[str, float]]:
    """The resources that each task requests."""
    return [{"CPU": float(request.threads or 1)} for _ in range(request.size.tasks)]


def address(engine: str, env: Mapping[str, str]) -> str:
    """The cluster's address: ``local`` starts a new one, ``auto`` is this machine's."""
    return "local" if engine == "ray:local" else env.get(ADDRESS) or "auto"


def connect(where: str, tasks: Sequence[Mapping[str, float]]) -> None:
    """Connect to the cluster at ``where`` as a client; see :func:`address`.

    Args:
        tasks: the tasks that a new cluster must have resources for.

    Raises:
        NotSupported: Ray is not installed.
        LaunchFailed: the cluster cannot be reached.
    """
    ray = module()
    host = where.removeprefix("ray://").partition("/")[0]
    if where not in ("auto", "local") and not ports.listens(host, _ANSWER):
        raise LaunchFailed(
            f"No Ray cluster answers at {where}.", f"Correct {ADDRESS}; or {_START_ONE}."
        )
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    if where == "local":
        cpus = sum(int(bundle["CPU"]) for bundle in tasks)
        quiet.update(num_cpus=cpus, include_dashboard=False)
    try:
        ray.init(address=where, **quiet)
    except Exception as error:  # Ray has no common class for these errors
        if where == "auto" and isinstance(error, ConnectionError):
            raise LaunchFailed(
                f"This machine is not part of a Ray cluster, and {ADDRESS} is not set.",
                f"Set it (HOST:6379, or ray://HOST:10001); or {_START_ONE}.",
            ) from None
        own = where == "local"
        cannot = "Ray cannot be started here" if own else f"Ray cannot be reached at {where}"
        raise LaunchFailed(
            f"{cannot}: {_one_line(error)}.",
            "Launch again; the machine may be busy." if own else "Look at the cluster: ray status.",
        ) from None


def module() -> Any:
    """The ``ray`` module.

    Raises:
        NotSupported: it is not installed.
    """
    try:
        import ray

        return ray
    except ImportError as error:
        raise NotSupported(
            f"Ray is not installed here: {message_of(error)}.",
            INSTALL,
        ) from None


class Room:
    """Places for a run's tasks, which Ray provides now or later."""

    def __init__(self, tasks: Sequence[Mapping[str, float]]) -> None:
        from ray.util.placement_group import placement_group

        self._asked = list(tasks)
        self._group = placement_group([dict(one) for one in tasks], strategy="PACK")

    def why_not(self) -> str:
        """Why the places are not available yet, in a clause; empty if they are."""
        import ray
        from ray.util.placement_group import placement_group_table

        table = placement_group_table(self._group)
        if table.get("state") == "CREATED":
            return ""
        told = table.get("stats", {}).get("scheduling_state") or table.get("state", "UNKNOWN")
        free, there = (
            found.get("CPU", 0.0) for found in (ray.available_resources(), ray.cluster_resources())
        )
        needs = sum(one["CPU"] for one in self._asked)
        return (
            f"Ray cannot place the {len(self._asked)} tasks yet ({told}): they need {needs:g}"
            f" processors, and {free:g} of {there:g} are free"
        )

    def actor(self, place: int) -> Any:
        """The actor in one of the places; Ray may still be creating it."""
        import ray
        from ray import cloudpickle
        from ray.util.scheduling_strategies import PlacementGroupSchedulingStrategy

        from mwtutor.engines.ray import actor

        # Its node may lack mwtutor's modules, or have other versions.
        for one in (actor, ports):
            cloudpickle.register_pickle_by_value(one)
        made = ray.remote(actor.Host).options(
            num_cpus=self._asked[place]["CPU"],
            max_concurrency=4,  # it accepts commands while another call waits for output
            max_restarts=0,
            scheduling_strategy=PlacementGroupSchedulingStrategy(self._group, place),
        )
        return made.remote()

    def leave(self, actors: Sequence[Any]) -> None:
        """Kill the actors, and remove the placement group."""
        import ray
        from ray.util.placement_group import remove_placement_group

        for actor in actors:
            with contextlib.suppress(Exception):  # the actor, or the cluster, no longer exists
                ray.kill(actor)
        with contextlib.suppress(Exception):
            remove_placement_group(self._group)


def loss(error: BaseException, node: str) -> str:
    """How a task was lost if its actor does not answer, in a clause that follows its name."""
    from ray.exceptions import ActorUnavailableError

    if "node has died" in str(error):
        return f"was lost: Ray reports that its node {node} has died"
    if isinstance(error, ActorUnavailableError):
        return f"was lost: Ray can no longer reach its node {node}"
    return f"was lost: its actor on node {node} has died"


def look() -> str:
    """The visible parts of a cluster, as JSON: ``nodes``, or ``problem`` and ``remedy``."""
    try:
        connect(address("ray", os.environ), ())
    except MwtutorError as error:
        return json.dumps({"problem": error.problem, "remedy": error.remedy})
    ray = module()
    alive = [node for node in ray.nodes() if node["Alive"]]
    cpus = ray.cluster_resources().get("CPU", 0)
    return json.dumps({"nodes": f"nodes: {len(alive)}, processors: {cpus:g}"})


def request_text(where: str, request: LaunchRequest) -> str:
    """A run's request to Ray, for display."""
    group = {"strategy": "PACK", "bundles": bundles(request)}
    return json.dumps({"address": where, "placement_group": group}, indent=2) + "\n"


def _one_line(error: BaseException) -> str:
    text = str(error).strip()
    if "Traceback" in text:
        text = text.splitlines()[-1]
    return " ".join(text.split())[:300].rstrip(".")
