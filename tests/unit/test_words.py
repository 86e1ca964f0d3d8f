"""What ``make lint`` reports about unwanted words."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "check_words.py"


@pytest.fixture(scope="module")
def words():
    spec = importlib.util.spec_from_file_location("words", SCRIPT)
    words = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(words)
    return words


CELLS = [
    {"cell_type": "markdown", "source": ["One data\n", "set for all."]},
    {"cell_type": "code", "source": ["data = set()  # no data\n", "x = 'data set'\n"]},
]


@pytest.mark.parametrize(
    ("name", "text", "lines"),
    [
        ("page.md", "A dataset.\nA data\nset, two data sets.\n", [2, 3]),
        ("page.md", "There is no path. It is no path.\n", [1]),
        ("page.md", "It is `no path` of `data set`.\n", []),
        ("code.py", "data = set  # a data\n# set\n", [1]),
        ("code.py", 'say("one data"\n    f" set for {all}")\ndata_set = data, "set"\n', [1]),
        ("code.py", 'def f():\n    """Neither.\n\n    A data set.\n    """\n', [4]),
        ("lesson.ipynb", json.dumps({"cells": CELLS}), [1]),
    ],
)
def test_a_sentence_is_found_and_code_is_not(words, tmp_path, capsys, name, text, lines):
    path = tmp_path / name
    path.write_text(text)
    assert words.main(str(path)) == bool(lines)
    said = capsys.readouterr().err.splitlines()
    assert [int(line.removeprefix(f"{path}:").partition(":")[0]) for line in said] == lines
