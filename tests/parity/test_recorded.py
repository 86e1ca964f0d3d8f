"""A row counts as recorded only with the code and the versions with which it passed."""

from __future__ import annotations

import json

import pytest

from tests.parity import recorded
from tests.parity.cases import ALL
from tests.support.digests import digest

ROW = next(case for case in ALL if set(case.promise) == {2, 3})
HOME = recorded._home(ROW)


def test_words_about_the_code_may_change_and_the_code_may_not():
    before = digest(('def row():\n    """Adam."""\n    return 1  # one\n',))
    assert digest(('def row():\n    """Of Adam."""\n    return 1\n',)) == before
    assert digest(('def row():\n    """Adam."""\n    return 2  # one\n',)) != before


@pytest.mark.parametrize("keras", [2, 3])
@pytest.mark.parametrize(
    ("version", "code", "counts"), [("", "", True), ("1", "", False), ("", "1", False)]
)
def test_another_version_or_other_code_is_tried_again(
    tmp_path, monkeypatch, keras, version, code, counts
):
    passed = {HOME: digest(recorded._sources(keras, HOME)) + code}
    (tmp_path / "record").write_text(json.dumps({recorded.versions(keras) + version: passed}))
    monkeypatch.setattr(recorded, "RECORD", tmp_path / "record")
    recorded._record.cache_clear()
    try:
        marks = {mark.name for mark in recorded.marks(keras, ROW)}
        assert marks == ({"full", "recorded"} if counts else {"full"})
        assert {mark.name for mark in recorded.marks(5 - keras, ROW)} == {"full"}
    finally:
        recorded._record.cache_clear()


def test_a_row_of_keras_3_depends_on_the_layer_and_what_it_imports():
    layer = {str(path.relative_to(recorded.ROOT)) for path in recorded.layer()}
    assert layer.issuperset(
        ["mwtutor/bridges/keras3/servers/steps.py", "mwtutor/exceptions.py", "mwtutor/sanitize.py"]
    )
    assert "mwtutor/launcher.py" not in layer  # only mwtutor.launch() imports it
    three, two = (set(recorded._sources(keras, HOME)) for keras in (3, 2))
    assert {path.read_text() for path in recorded.layer()} == three - two


def test_a_row_depends_on_the_file_from_which_its_own_file_imports():
    home = "tests/parity/served/cases/files.py"
    model = recorded.ROOT / "tests/parity/served/cases/models.py"
    assert model.read_text() in recorded._sources(2, home)
