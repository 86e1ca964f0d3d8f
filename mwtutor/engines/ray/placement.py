"""Request from Ray places for a run's tasks, and an actor in each place."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from mwtutor.run.request.options import LaunchRequest
from mwtutor.system import ports

#: Seconds that a launch waits for resources before it continues in the background.
PATIENCE = 10.0


def bundles(request: LaunchRequest) -> list[dict[str, float]]:
    """The resources that each task requests."""
    return [{"CPU": float(request.threads or 1)} for _ in range(request.size.tasks)]


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


def request_text(where: str, request: LaunchRequest) -> str:
    """A run's request to Ray, for display."""
    group = {"strategy": "PACK", "bundles": bundles(request)}
    return json.dumps({"address": where, "placement_group": group}, indent=2) + "\n"
