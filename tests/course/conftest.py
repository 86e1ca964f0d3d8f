"""A kernel for the lessons of one test file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.course.classroom import SharedKernel


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedKernel]:
    shared = SharedKernel(tmp_path_factory.mktemp("lessons"))
    yield shared
    shared.close()
