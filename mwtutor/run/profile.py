"""Profiles of a run: what all its workers did during a few steps of their training."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from mwtutor.run.spec import RunSpec


def traces_directory(spec: RunSpec) -> Path:
    """Where TensorBoard's profiler looks, given :func:`logdir`: a directory for each profile."""
    return spec.path / "profile" / "plugins" / "profile"


def traces(spec: RunSpec) -> Mapping[str, Path]:
    """The profiles there are, by name; the oldest first."""
    try:
        return {path.name: path for path in sorted(traces_directory(spec).iterdir())}
    except OSError:
        return {}
