"""Cells as a script: in order, in scope, valid Python, and never over an existing file."""

from __future__ import annotations

import ast

import pytest

from mwtutor.cluster import TaskId
from mwtutor.exceptions import BadInput, SessionError
from mwtutor.run.request.options import LaunchRequest
from mwtutor.sessions.export import script, write_script
from mwtutor.sessions.result import Cell


def body(*cells: Cell) -> str:
    """The part after the preamble; the whole script must be valid Python."""
    text = script(cells)
    ast.parse(text)
    return text.split("is_chief = ", 1)[1].split("\n", 1)[1].strip()


def test_cells_come_in_order_and_in_scope():
    assert body(Cell("x = 1\n"), Cell("\ny = 2\nz = 3", scope=True)) == (
        "x = 1\n\nwith strategy.scope():\n    y = 2\n    z = 3"
    )


def test_a_cell_of_one_task_runs_on_that_task_only():
    assert body(Cell("x = 1", scope=True, tasks=(TaskId("worker", 1),))) == (
        'if (task_type, task_index) == ("worker", 1):\n    with strategy.scope():\n        x = 1'
    )


def test_a_cell_that_awaits_is_left_to_notebooks():
    shown = body(Cell("import asyncio\nawait asyncio.sleep(1)"))
    assert "\n# await asyncio.sleep(1)" in shown
    assert "\nawait" not in shown


@pytest.mark.parametrize("prefix", ["", "f"])
def test_strings_of_several_lines_are_not_indented(prefix):
    source = f'x = {prefix}"""one\n  two\nthree"""\nif x:\n    y = 1'
    names: dict[str, object] = {}
    shown = body(Cell(source, scope=True)).replace("with strategy.scope():", "if True:")
    exec(shown, names)
    assert (names["x"], names["y"]) == ("one\n  two\nthree", 1)


def test_a_cell_without_statements_or_of_ipython_is_kept_as_a_comment():
    assert body(Cell("# only a remark", scope=True)) == "# only a remark"
    assert body(Cell("!ls\nx = 1")) == "# !ls\nx = 1"
    magic = "%matplotlib inline\nimport os\nif os.name:\n    files = !ls\nx = 1"
    assert body(Cell(magic)) == (
        "# %matplotlib inline\nimport os\n# if os.name:\n#     files = !ls\nx = 1"
    )
    assert body(Cell("await f()\nx = 1")).endswith("IPython only:\n# await f()\n# x = 1")
    assert body(Cell("%%time\nx = 1")).startswith("# %%time")


def test_what_ipython_accepts_is_made_plain():
    assert body(Cell("  x = 1\n  y = 2")) == "x = 1\ny = 2"
    assert body(Cell("display(x)")).startswith("from IPython.display import display\n")


def test_an_fstring_inside_a_string_of_several_lines_is_not_indented():
    source = 'n = "n"\nx = f"""one\n{f"{n}"} two"""'
    names: dict[str, object] = {}
    exec(body(Cell(source, scope=True)).replace("with strategy.scope():", "if True:"), names)
    assert names["x"] == "one\nn two"


def test_the_keras_of_the_session_is_chosen_before_tensorflow_is_imported():
    text = script([Cell("x = 1")], LaunchRequest("", keras="2"))
    assert text.index('"TF_USE_LEGACY_KERAS", "1"') < text.index("import tensorflow")
    assert text.index("bridges.enable()") < text.index("import tensorflow")
    assert "LEGACY" not in script([Cell("x = 1")])


def test_a_session_with_servers_is_exported_with_them():
    served = LaunchRequest("", 3, chief=True, ps=2, partition="1KiB")
    text = script([Cell("x = 1")], served, "x.py")
    ast.parse(text)
    assert "%mw_launch 3 x.py --chief --ps 2``" in text
    assert "MinSizePartitioner(\n        min_shard_bytes=1024, max_shards=len(_jobs" in text
    assert "variable_partitioner" not in script([], LaunchRequest("", 3, chief=True, ps=2))


def test_a_file_that_was_not_exported_is_not_overwritten(tmp_path):
    path = tmp_path / "main.py"
    assert write_script([Cell("x = 1")], path) == 1
    assert write_script([Cell("x = 2"), Cell("y = 3")], path) == 2
    assert "x = 1" not in path.read_text()
    path.write_text("mine")
    with pytest.raises(BadInput, match="was not written by"):
        write_script([Cell("x = 1")], path)
    assert path.read_text() == "mine"
    write_script([Cell("x = 1")], path, force=True)
    with pytest.raises(SessionError, match="nothing to export"):
        write_script([], path)
    with pytest.raises(BadInput, match="cannot be written"):
        write_script([Cell("x = 1")], tmp_path / "nowhere" / "main.py")
