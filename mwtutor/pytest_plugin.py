"""A pytest plugin for tests and notebook cells that need certain hardware or versions.

A notebook cell that nbval executes is skipped, with the reason in the report, unless everything
that its tags require is available::

    gpu  gpu2  gpu8        at least that many GPUs that CUDA_VISIBLE_DEVICES leaves visible
    keras2  keras3         tf.keras is that version of Keras
    tf>=2.16               a version of TensorFlow; also keras, python, or any package
    needs:numpy            a package is installed
    horovod                an interpreter that has Horovod
    jax                    JAX is installed
    machines               --machines and --link work
    slurm  ray             a cluster of that kind that can be reached

Other tags are ignored. The same words work for a test:
``@pytest.mark.mw_needs("gpu2", "tf>=2.16")``; any other word there is an error. The plugin comes
with the package (entry point ``mwtutor_hardware``); ``-p no:mwtutor_hardware`` switches it off. It
imports nothing until it finds a tag or such a marker.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "mw_needs(*words): skip unless the hardware and versions are available, such as gpu2, "
        "keras3, tf>=2.16 (mwtutor)",
    )


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if not any((*_marked(item), *_tags(item)) for item in items):
        return
    from mwtutor.devices.requirements import WORDS, is_requirement, unmet

    if misspelt := [
        f"{item.nodeid}: {word!r}"
        for item in items
        for word in _marked(item)
        if not is_requirement(word)
    ]:
        raise pytest.UsageError(
            f"A word in mw_needs(...) is not a requirement: {'; '.join(misspelt[:5])}. {WORDS}"
        )
    for item in items:
        reasons = [reason for word in [*_marked(item), *_tags(item)] if (reason := unmet(word))]
        if reasons:
            item.add_marker(pytest.mark.skip(reason="; ".join(reasons)))


def _marked(item: pytest.Item) -> list[str]:
    marks = list(item.iter_markers("mw_needs"))
    named = [f"{name}={value}" for mark in marks for name, value in mark.kwargs.items()]
    return [str(word) for mark in marks for word in mark.args] + named


def _tags(item: pytest.Item) -> list[str]:
    cell: Any = getattr(item, "cell", None)
    metadata = cell.get("metadata") if isinstance(cell, Mapping) else None
    tags = metadata.get("tags", []) if isinstance(metadata, Mapping) else []
    return [tag for tag in tags if isinstance(tag, str)]
