"""The limit on unit tests: TensorFlow's import takes ten seconds, and needs a marker."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def _tensorflow_is_announced(request: pytest.FixtureRequest) -> Iterator[None]:
    before = "tensorflow" in sys.modules
    yield
    if any(request.node.get_closest_marker(name) for name in ("tensorflow", "bridges")):
        return
    assert before or "tensorflow" not in sys.modules, "imports TensorFlow: mark it `tensorflow`"
