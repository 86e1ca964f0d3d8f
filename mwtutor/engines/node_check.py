"""The question that an engine asks on each node of a cluster before it starts tasks there."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from mwtutor.run.record.spec import RunSpec
from mwtutor.system import child
from mwtutor.targets.jobs import node_question
from mwtutor.version import VERSION


def question() -> str:
    """A Python program; see :mod:`mwtutor.targets.jobs.node_question`."""
    return Path(node_question.__file__).read_text()


def words(run: RunSpec, *, elsewhere: bool, shared: Sequence[str] = ()) -> list[str]:
    """The arguments of that program.

    Args:
        elsewhere: whether the package may be in a different place on the node.
        shared: further directories that must exist on the node.
    """
    script = run.program.target if run.program.kind == "script" else ""
    also = "elsewhere" if elsewhere else ""
    return [VERSION, child.OURS, also, run.request.cwd, script, *shared]
