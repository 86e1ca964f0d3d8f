"""A task of SkyPilot: one node for each task of the cluster."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from mwtutor.exceptions import BadInput
from mwtutor.targets.jobs import yaml
from mwtutor.targets.jobs.export import Order, Target, shell

_HEAD = """\
# Written by mwtutor export; start it with sky launch FILE, or with sky jobs launch FILE, which can
# restart it. mwtutor must be installed on its machines, in the image or by a setup command.
"""


class SkyPilot(Target):
    """See :mod:`mwtutor.targets.jobs.skypilot`."""

    name = "skypilot"
    remedies: ClassVar[Mapping[str, str]] = {
        "timeout": "SkyPilot has no time limit; sky autostop stops idle machines.",
    }

    def text(self, order: Order) -> str:
        request, resources = order.request, order.resources
        if request.gpus_per_worker:
            raise BadInput(
                "SkyPilot requests GPUs by their type, which --gpus-per-worker does not specify.",
                "Leave it out, and write accelerators: A100:1, or another type, under resources.",
            )
        asked: dict[str, Any] = {
            "cpus": f"{resources.cpus}+" if resources.cpus else "",
            "memory": f"{resources.memory}+" if resources.memory else "",
            "image_id": f"docker:{resources.image}" if resources.image else "",
            "job_recovery": {"max_restarts_on_errors": request.restarts}
            if request.restarts
            else "",
        }
        task = {
            "name": request.name or request.executes.stem,
            "num_nodes": request.size.tasks,
            "workdir": request.cwd or ".",
            "resources": {what: much for what, much in asked.items() if much},
            "envs": order.env(),
            "run": yaml.Block(f"exec {shell(order.command('python3'))}"),
        }
        return _HEAD + yaml.dump({what: much for what, much in task.items() if much != {}})
