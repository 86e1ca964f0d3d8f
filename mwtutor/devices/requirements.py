"""The requirements of tests and cells, each a word, and whether this machine meets them.

gpu  gpu2  gpu8        at least that many GPUs that CUDA_VISIBLE_DEVICES leaves visible
keras2  keras3         tf.keras is that version of Keras
tf>=2.16               a version of TensorFlow; also keras, python, or any package
needs:numpy            a package is installed
horovod                an interpreter that has Horovod, see :func:`horovod_python`
jax                    JAX is installed
machines               what --machines and --link need: network namespaces, and limits in them
slurm                  a Slurm cluster to which jobs can be submitted
ray                    Ray is installed, and RAY_ADDRESS names a cluster
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from mwtutor.system import child
from mwtutor.system.variables import asks_for_keras_2

#: The explanation for a misspelled word.
WORDS = (
    "Write gpu or gpu2 (any number), keras2 or keras3, tf>=2.16 (also keras, python, or any "
    "package), needs:numpy, horovod, jax, machines, slurm, or ray."
)

_GPUS = re.compile(r"gpu([1-9]\d*)?")
_KERAS = re.compile(r"keras([23])")
_VERSION = re.compile(r"([A-Za-z][\w.-]*?)\s*((?:==|!=|<=|>=|<|>|~=).+)")
_INSTALLED = re.compile(r"needs:([A-Za-z][\w.-]*)")


def is_requirement(word: str) -> bool:
    """Whether the word is one of these requirements."""
    return _asked(word) is not None


def unmet(word: str) -> str:
    """Why a requirement is not met here; empty if it is, or if the word is not a requirement."""
    return _asked(word) or ""


def _asked(word: str) -> str | None:
    """Why a requirement is not met; empty if it is met; None if the word is not a requirement."""
    if match := _GPUS.fullmatch(word):
        return _too_few_gpus(int(match[1] or 1))
    if match := _KERAS.fullmatch(word):
        return _other_keras(match[1])
    if match := _INSTALLED.fullmatch(word):
        return "" if installed(match[1]) else f"needs {match[1]}, which is not installed"
    if word == "horovod":
        lacking = f"needs Horovod, which is not installed: {HOROVOD_REMEDY}"
        return "" if horovod_python() else lacking
    if word == "jax":
        return "" if installed("jax") else "needs JAX, which is not installed: pip install jax"
    if word == "machines":
        none, no_limit, _ = _machines()
        lacking = none or no_limit
        return f"needs machines with links, which are not possible here: {lacking}" * bool(lacking)
    if word == "slurm":
        lacking = _what_slurm_lacks()
        return f"needs Slurm, {lacking}" * bool(lacking)
    if word == "ray":
        there = installed("ray") and os.environ.get("RAY_ADDRESS")
        return "" if there else "needs Ray, and its cluster's address in RAY_ADDRESS"
    if match := _VERSION.fullmatch(word):
        return _other_version(match[1], match[2])
    return None


#: How to get an interpreter that has Horovod.
HOROVOD_REMEDY = "make horovod builds it, in 5 to 20 minutes"

#: The environment variable that names an interpreter with Horovod.
_HOROVOD = "MWTUTOR_HOROVOD"


def horovod_python() -> str:
    """The path of a Python that has Horovod; empty if there is none.

    This is the one that ``MWTUTOR_HOROVOD`` names; otherwise ``.venv-horovod/bin/python`` in the
    current directory, in one above it, or in the clone that mwtutor runs from. ``make horovod``
    creates that environment.
    """
    if named := os.environ.get(_HOROVOD, ""):
        return named
    try:
        here = Path.cwd()
    except FileNotFoundError:  # the current directory was removed
        return ""
    # This file is created last: it shows that the installation is complete.
    places = (here, *here.parents, Path(__file__).parents[2])
    made = (place / ".venv-horovod" / ".installed" for place in places)
    return next((str(file.parent / "bin" / "python") for file in made if file.exists()), "")


def what_machines_lack() -> tuple[str, str, str]:
    """Why simulated machines, links with a limit, and links with a delay do not work here.

    Each text is empty if the feature works. All features are tried in a separate process.
    """
    done = subprocess.run(
        [sys.executable, str(child.ENTRY), "machines", "1"], capture_output=True, text=True
    )
    none, no_limit, no_delay = [*done.stdout.splitlines(), *["the test did not run"] * 3][:3]
    return none, no_limit, no_delay


_machines = functools.cache(what_machines_lack)


@functools.cache
def _what_slurm_lacks() -> str:
    """Why no job can be submitted, as a clause; empty if one can."""
    if not all(map(shutil.which, ("sinfo", "sbatch"))):
        return "which is not installed"
    try:
        asked = subprocess.run(["sinfo", "--noheader"], capture_output=True, timeout=10)
    except (OSError, subprocess.SubprocessError):
        return "whose controller does not answer"
    return "" if asked.returncode == 0 else "whose controller does not answer"


def _too_few_gpus(needed: int) -> str:
    there = _gpus()
    if there >= needed:
        return ""
    available = f"only {there} {'is' if there == 1 else 'are'}" if there else "none is"
    return f"needs {'a GPU' if needed == 1 else f'{needed} GPUs'}, but {available} available"


@functools.cache
def _gpus() -> int:
    from mwtutor.devices import gpus

    return len(gpus.find().visible(os.environ.get(gpus.VISIBLE)))


def _other_version(name: str, wanted: str) -> str | None:
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        specifier = SpecifierSet(wanted, prereleases=True)
    except InvalidSpecifier:
        return None
    found = _version(name)
    if found and specifier.contains(found):
        return ""
    return f"needs {name}{wanted}, but {found or 'none'} is installed"


def _version(name: str) -> str:
    import platform

    if name == "python":
        return platform.python_version()
    if name in ("tf", "tensorflow"):
        return installed("tensorflow") or installed("tensorflow-cpu")
    return installed(name)


@functools.cache
def installed(package: str) -> str:
    """The version of an installed package; empty if it is not installed."""
    import importlib.metadata

    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _other_keras(wanted: str) -> str:
    found = _keras()
    if found == wanted:
        return ""
    return f"needs Keras {wanted}, but tf.keras is {f'Keras {found}' if found else 'not installed'}"


def _keras() -> str:
    """Which Keras ``tf.keras`` is, without importing it."""
    if asks_for_keras_2(os.environ):
        return "2"
    release = _version("tf").split(".")[:2]
    if len(release) < 2:
        return ""
    return "3" if tuple(map(int, release)) >= (2, 16) else "2"
