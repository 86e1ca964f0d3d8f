"""The tests' own fork server: its processes leave nothing in the system's temporary directory."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from tests.support.clusters import warm


@pytest.mark.tensorflow
def test_a_process_has_a_temporary_directory_that_goes_with_the_tests():
    made = Path(warm.run_source("import tempfile; print(tempfile.mkstemp()[1])").strip())
    assert made.exists()
    assert made.parent == Path(warm._temporary().name)
    assert made.parent != Path(tempfile.gettempdir())
    made.unlink()
