"""Runs as values, for tests of what is made of them."""

from __future__ import annotations

from pathlib import Path

from mwtutor.run.record.spec import RunSpec
from mwtutor.run.request.request import LaunchRequest


def a_spec(directory: Path | str, program: str = "main.py", **given: object) -> RunSpec:
    """A run in this directory: of two workers and named main unless ``given`` otherwise.

    What is given is of the request, or of the spec beside it.
    """
    beside = {name: given.pop(name) for name in RunSpec.__dataclass_fields__ if name in given}
    request = LaunchRequest(program, **{"name": "main", "cwd": "/", **given})
    return RunSpec(**{"id": "id", "directory": str(directory), "request": request, **beside})
