"""A pytest plugin: tests and notebook cells that need some hardware or some versions.

A notebook cell that nbval executes is skipped, with the reason in the report, unless everything its
tags ask for is available::

    gpu  gpu2  gpu8        at least that many GPUs that CUDA_VISIBLE_DEVICES leaves visible
    keras2  keras3         tf.keras is that Keras
    tf>=2.16               a version of TensorFlow; also keras, python, or any package
    needs:numpy            a package is installed

All other tags are left alone. The same words work for a test:
``@pytest.mark.mw_needs("gpu2", "tf>=2.16")``; any other word there is an error.
The plugin comes with the package (entry point ``mwtutor_hardware``); ``-p no:mwtutor_hardware``
switches it off. It imports nothing until it meets such a tag.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from typing import Any

import pytest

_GPUS = re.compile(r"gpu([1-9]\d*)?")
_KERAS = re.compile(r"keras([23])")
_VERSION = re.compile(r"([A-Za-z][\w.-]*?)\s*((?:==|!=|<=|>=|<|>|~=).+)")
_INSTALLED = re.compile(r"needs:([A-Za-z][\w.-]*)")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "mw_needs(*words): skip unless the hardware and versions are available, such as gpu2, "
        "keras3, tf>=2.16 (mwtutor)",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if misspelt := [f"{item.nodeid}: {word!r}" for item in items for word in _misspelt(item)]:
        raise pytest.UsageError(
            f"A word in mw_needs(...) is not a requirement: {'; '.join(misspelt[:5])}. "
            "Write gpu or gpu2 (any number), keras2 or keras3, tf>=2.16 (also keras, python, or "
            "any package), or needs:numpy."
        )
    for item in items:
        reasons = [reason for word in [*_marked(item), *_tags(item)] if (reason := unmet(word))]
        if reasons:
            item.add_marker(pytest.mark.skip(reason="; ".join(reasons)))


def _marked(item: pytest.Item) -> list[str]:
    marks = list(item.iter_markers("mw_needs"))
    named = [f"{name}={value}" for mark in marks for name, value in mark.kwargs.items()]
    return [str(word) for mark in marks for word in mark.args] + named


def _misspelt(item: pytest.Item) -> list[str]:
    return [word for word in _marked(item) if _asked(word) is None]


def _tags(item: pytest.Item) -> list[str]:
    cell: Any = getattr(item, "cell", None)
    metadata = cell.get("metadata") if isinstance(cell, Mapping) else None
    tags = metadata.get("tags", []) if isinstance(metadata, Mapping) else []
    return [tag for tag in tags if isinstance(tag, str)]


def unmet(word: str) -> str:
    """Why a requirement is not met here; empty if it is, or if the word is not a requirement."""
    return _asked(word) or ""


def _asked(word: str) -> str | None:
    """Why a requirement is not met, empty if it is; None if the word is not a requirement."""
    if match := _GPUS.fullmatch(word):
        return _too_few_gpus(int(match[1] or 1))
    if match := _KERAS.fullmatch(word):
        return _other_keras(match[1])
    if match := _INSTALLED.fullmatch(word):
        return "" if _installed(match[1]) else f"needs {match[1]}, which is not installed"
    if match := _VERSION.fullmatch(word):
        return _other_version(match[1], match[2])
    return None


def _too_few_gpus(needed: int) -> str:
    there = _gpus()
    if there >= needed:
        return ""
    available = f"only {there} {'is' if there == 1 else 'are'}" if there else "none is"
    return f"needs {needed} GPU{'s' * (needed != 1)}, but {available} available"


@functools.cache
def _gpus() -> int:
    import os

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
        return _installed("tensorflow") or _installed("tensorflow-cpu")
    return _installed(name)


@functools.cache
def _installed(package: str) -> str:
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
    """Which Keras ``tf.keras`` is, found without importing it."""
    import os

    if os.environ.get("TF_USE_LEGACY_KERAS") in ("1", "true", "True"):
        return "2"
    release = _version("tf").split(".")[:2]
    if len(release) < 2:
        return ""
    return "3" if tuple(map(int, release)) >= (2, 16) else "2"
