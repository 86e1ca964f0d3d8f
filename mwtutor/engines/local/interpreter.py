"""Another interpreter, as given with ``--python``."""

from __future__ import annotations

import re
import subprocess

from mwtutor.devices.requirements import HOROVOD_REMEDY
from mwtutor.exceptions import BadInput, NotSupported
from mwtutor.run.request.options import WithChoice

HOROVOD_ADVICE = (
    f"In a clone of mwtutor, {HOROVOD_REMEDY}; then add --python .venv-horovod/bin/python."
)

JAX_ADVICE = "Install it there: {python} -m pip install jax"


def check_interpreter(python: str, with_: WithChoice = "tensorflow") -> None:
    """Check that ``python`` is a Python with the packages that ``--with`` needs.

    Raises:
        BadInput: it is not a Python interpreter, or does not start.
        NotSupported: it does not have the packages that ``--with`` needs.
    """
    horovod = with_ == "horovod"
    where = "--python, or the variable MWTUTOR_HOROVOD," if horovod else "--python"
    # The expected answer is computed, so a program that merely prints its arguments is not mistaken
    # for Python.
    probe = (
        "import importlib.util as u; print('mwtutor' * 2,"
        " *(bool(u.find_spec(name)) for name in ('tensorflow', 'horovod', 'jax')))"
    )
    try:
        done = subprocess.run(
            [python, "-c", probe], capture_output=True, timeout=60, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise BadInput(
            f"{python} cannot be started: {getattr(error, 'strerror', None) or 'no answer'}.",
            f"Give {where} the path of a working Python interpreter.",
        ) from None
    answer = re.fullmatch(
        b"mwtutormwtutor" + 3 * rb" (True|False)", b"".join(done.stdout.splitlines()[-1:])
    )
    if done.returncode or answer is None:
        raise BadInput(
            f"{python} is not a working Python interpreter.",
            f"Give {where} another path, for example .venv{'-horovod' * horovod}/bin/python.",
        )
    if horovod and answer[2] == b"False":
        raise NotSupported(f"{python} has no Horovod.", HOROVOD_ADVICE)
    if with_ == "jax":
        if answer[3] == b"False":
            raise NotSupported(f"{python} has no JAX.", JAX_ADVICE.format(python=python))
    elif answer[1] == b"False":
        raise NotSupported(
            f"{python} has no TensorFlow.",
            f"Install it there: {python} -m pip install tensorflow tf_keras",
        )
