"""The connection to a Ray cluster: where it is, whether it answers, and what is visible of it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from mwtutor.exceptions import LaunchFailed, MwtutorError, NotSupported, message_of
from mwtutor.system import ports

ADDRESS = "RAY_ADDRESS"

INSTALL = "Install the version that the cluster's nodes have: python -m pip install ray==VERSION."

_START_ONE = (
    "start a cluster here: ray start --head; or start one for this run only: --on ray:local"
)

#: Seconds within which a cluster's address must answer.
_ANSWER = 5.0


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


def _one_line(error: BaseException) -> str:
    text = str(error).strip()
    if "Traceback" in text:
        text = text.splitlines()[-1]
    return " ".join(text.split())[:300].rstrip(".")
