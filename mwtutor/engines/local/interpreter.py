"""Another interpreter, as given with ``--python``."""

from __future__ import annotations

import re
import subprocess

from mwtutor.devices.requirements import HOROVOD_REMEDY
from mwtutor.exceptions import BadInput, NotSupported

HOROVOD_ADVICE = (
    f"In a clone of mwtutor {HOROVOD_REMEDY}; then add --python .venv-horovod/bin/python."
)


def check_interpreter(python: str, horovod: bool = False) -> None:
    """Whether ``python`` is a Python that has TensorFlow, and Horovod if needed.

    Raises:
        BadInput: it is not a Python interpreter, or does not start.
        NotSupported: it does not have them.
    """
    where = "--python, or the variable MWTUTOR_HOROVOD," if horovod else "--python"
    # The expected answer is computed, so a program that merely prints its arguments is not mistaken
    # for Python.
    probe = (
        "import importlib.util as u; print('mwtutor' * 2,"
        " *(bool(u.find_spec(name)) for name in ('tensorflow', 'horovod')))"
    )
    try:
        done = subprocess.run(
            [python, "-c", probe], capture_output=True, timeout=60, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BadInput(
            f"{python} cannot be started: {getattr(error, 'strerror', None) or 'no answer'}.",
            f"Give {where} the path of a Python interpreter.",
        ) from None
    answer = re.fullmatch(
        rb"mwtutormwtutor (True|False) (True|False)", b"".join(done.stdout.splitlines()[-1:])
    )
    if done.returncode or answer is None:
        raise BadInput(
            f"{python} is not a working Python interpreter.",
            f"Give {where} the path of one, for example .venv{'-horovod' * horovod}/bin/python.",
        )
    if horovod and answer[2] == b"False":
        raise NotSupported(f"{python} has no Horovod.", HOROVOD_ADVICE)
    if answer[1] == b"False":
        raise NotSupported(
            f"{python} has no TensorFlow.",
            f"Install it there: {python} -m pip install tensorflow tf_keras",
        )
