"""Whether a thread waits in a collective: real frames, of code in files with TensorFlow's names."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from mwtutor.worker import in_collective


def frame_in(file: str, function: str, source: str = "", **names: object):
    """The frame of a function in a file with this name."""
    taken: list[object] = []
    here: dict[str, Callable[..., None]] = {"take": lambda: taken.append(sys._getframe(1))}
    code = f"def {function}({', '.join(names)}):\n    take()\n"
    exec(compile(code, f"/site-packages/tensorflow/python/{file}", "exec"), here)
    here[function](**names)
    return taken[0]


@pytest.mark.parametrize(
    ("frame", "waits"),
    [
        (frame_in("eager/execute.py", "quick_execute", op_name="CollectiveReduceV2"), True),
        (frame_in("eager/execute.py", "quick_execute", op_name=b"CollectiveGatherV2"), True),
        (frame_in("ops/gen_collective_ops.py", "collective_reduce_v2"), True),
        (frame_in("eager/context.py", "get_config_key_value"), True),
        (frame_in("ops/gen_math_ops.py", "mat_mul"), False),
        (frame_in("eager/context.py", "set_config_key_value"), False),
    ],
    ids=["an operation", "its name in bytes", "its wrapper", "a meeting", "another", "no meeting"],
)
def test_a_frame_that_can_wait_for_other_workers(frame, waits):
    assert in_collective.in_collective(frame) is waits
