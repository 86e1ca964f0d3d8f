"""A row counts as recorded only with the code and the versions with which it passed."""

from __future__ import annotations

import json

import pytest

from tests.parity import recorded
from tests.parity.cases import ALL

ROW = next(case for case in ALL if 2 in case.promise)


def test_words_about_the_code_may_change_and_the_code_may_not():
    before = recorded.digest(('def row():\n    """Adam."""\n    return 1  # one\n',))
    assert recorded.digest(('def row():\n    """Of Adam."""\n    return 1\n',)) == before
    assert recorded.digest(('def row():\n    """Adam."""\n    return 2  # one\n',)) != before


@pytest.mark.parametrize(
    ("version", "code", "counts"), [("", "", True), ("1", "", False), ("", "1", False)]
)
def test_another_version_or_other_code_is_tried_again(tmp_path, monkeypatch, version, code, counts):
    home = recorded._home(ROW)
    passed = {home: recorded.digest(recorded._sources(home)) + code}
    (tmp_path / "record").write_text(json.dumps({recorded.versions() + version: passed}))
    monkeypatch.setattr(recorded, "RECORD", tmp_path / "record")
    recorded._record.cache_clear()
    try:
        marks = {mark.name for mark in recorded.marks(2, ROW)}
        assert marks == ({"full", "recorded"} if counts else {"full"})
        assert {mark.name for mark in recorded.marks(3, ROW)} == {"full"}
    finally:
        recorded._record.cache_clear()
