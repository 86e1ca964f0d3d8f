"""Which files a forked process considers installed."""

from __future__ import annotations

import json

import pytest

import mwtutor
from mwtutor.system.child import is_installed


@pytest.mark.parametrize("file", [json.__file__, pytest.__file__, mwtutor.__file__])
def test_a_library_is_no_program(file):
    assert is_installed(file)


def test_packages_in_a_directory_of_their_own_are_libraries(tmp_path):
    """As ``pip install --target`` installs them; other files in the directory are not libraries."""
    (tmp_path / "keras-3.0.dist-info").mkdir()
    assert is_installed(str(tmp_path / "keras" / "src" / "trainer.py"))
    assert not is_installed(str(tmp_path / "main.py"))


def test_a_program_is_not_installed(tmp_path):
    assert not is_installed(str(tmp_path / "main.py"))
    assert not is_installed("main.py")
