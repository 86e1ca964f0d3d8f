"""Another interpreter, as ``--python`` names it."""

from __future__ import annotations

import subprocess

from mwtutor.exceptions import BadInput, NotSupported


def check_interpreter(python: str) -> None:
    """Whether ``python`` is a Python that has TensorFlow.

    Raises:
        BadInput: it is no Python, or does not start.
        NotSupported: it has no TensorFlow.
    """
    # What it says is computed: a program that prints its arguments does not pass for Python.
    probe = "import importlib.util as u; print('mwtutor' * 2, bool(u.find_spec('tensorflow')))"
    try:
        done = subprocess.run(
            [python, "-c", probe], capture_output=True, timeout=60, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BadInput(
            f"{python} cannot be started: {getattr(error, 'strerror', None) or 'no answer'}.",
            "Give --python the path of a Python interpreter.",
        ) from None
    answer = done.stdout.splitlines()[-1:]
    if done.returncode or answer not in ([b"mwtutormwtutor True"], [b"mwtutormwtutor False"]):
        raise BadInput(
            f"{python} is not a Python interpreter that works.",
            "Give --python the path of one, for example .venv/bin/python.",
        )
    if answer == [b"mwtutormwtutor False"]:
        raise NotSupported(
            f"{python} has no TensorFlow.",
            f"Install it there: {python} -m pip install tensorflow tf_keras",
        )
