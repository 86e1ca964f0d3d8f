"""Runs as values, for tests of code that uses them."""

from __future__ import annotations

from pathlib import Path

from mwtutor.run.record.spec import RunSpec
from mwtutor.run.request.options import LaunchRequest


def a_spec(directory: Path | str, program: str = "main.py", **given: object) -> RunSpec:
    """A run in this directory, by default named main and with two workers.

    ``given`` has other fields of the request, or of the spec.
    """
    beside = {name: given.pop(name) for name in RunSpec.__dataclass_fields__ if name in given}
    request = LaunchRequest(program, **{"name": "main", "cwd": "/", **given})
    return RunSpec(**{"id": "id", "directory": str(directory), "request": request, **beside})
