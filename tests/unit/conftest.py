"""What a unit test may cost: TensorFlow's import, ten seconds, only where a marker says so."""

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
