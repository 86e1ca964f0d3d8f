"""Another interpreter: whether the path is one, and whether it has the required packages."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import pytest

from mwtutor.diagnosis import checks
from mwtutor.engines.local.interpreter import check_interpreter
from mwtutor.exceptions import BadInput, NotSupported


@pytest.fixture
def without_horovod():
    if find_spec("horovod") is not None:
        pytest.skip("this interpreter has Horovod")


def test_what_is_needed_is_looked_for(without_horovod):
    check_interpreter(sys.executable)
    with pytest.raises(NotSupported, match=r"has no Horovod\.") as raised:
        check_interpreter(sys.executable, "horovod")
    assert "make horovod" in raised.value.remedy
    assert "--python .venv-horovod/bin/python" in raised.value.remedy


@pytest.mark.skipif(find_spec("jax") is not None, reason="this interpreter has JAX")
def test_a_missing_jax_is_named_with_the_command_that_installs_it():
    with pytest.raises(NotSupported, match=r"has no JAX\.") as raised:
        check_interpreter(sys.executable, "jax")
    assert raised.value.remedy == f"Install it there: {sys.executable} -m pip install jax"


@pytest.mark.parametrize("prints", ["mwtutormwtutor True", "True True", "$@"])
def test_a_program_that_prints_something_like_it_is_no_python(tmp_path, prints):
    program = tmp_path / "python"
    program.write_text(f'#!/bin/sh\necho "{prints}"\n')
    program.chmod(0o755)
    with pytest.raises(BadInput, match="is not a working Python interpreter"):
        check_interpreter(str(program), "horovod")


def test_the_variable_is_named_where_it_may_be_to_blame():
    with pytest.raises(BadInput, match="cannot be started") as raised:
        check_interpreter("/nowhere/python", "horovod")
    assert "MWTUTOR_HOROVOD" in raised.value.remedy
    with pytest.raises(BadInput) as raised:
        check_interpreter("/nowhere/python")
    assert "MWTUTOR_HOROVOD" not in raised.value.remedy


def test_the_doctor_says_how_to_get_horovod(without_horovod, monkeypatch):
    monkeypatch.setenv("MWTUTOR_HOROVOD", sys.executable)
    found = checks._horovod()
    assert found.level == "note"
    assert "needed only for --with horovod" in found.found
    assert "make horovod" in found.remedy
