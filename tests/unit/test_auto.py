"""Which cells ``%mw_auto`` sends to the workers, through IPython's own transformation of a cell."""

from __future__ import annotations

import pytest
from IPython.core.inputtransformer2 import TransformerManager

from mwtutor.auto import Auto


def made(cell: str, session: str | None) -> str:
    auto, manager = Auto(), TransformerManager()
    auto.session = session
    manager.cleanup_transforms.append(auto.rewrite)
    return manager.transform_cell(cell)


@pytest.mark.parametrize(
    "cell", ["x = 1\nx", "# first\n\nx = 1", "  x = 1", "x = '?'", "print(5 % 3)"]
)
@pytest.mark.parametrize("session", ["", "session-2"])
def test_a_cell_without_a_magic_is_for_the_workers(cell, session):
    found = made(cell, session)
    assert found.startswith(f"get_ipython().run_cell_magic('mw', '{f'--auto {session}'.strip()}', ")
    assert "x" in found or "print" in found
    assert made(cell, None) == TransformerManager().transform_cell(cell)


@pytest.mark.parametrize(
    "cell",
    [
        "%%mw\nx",
        "%mw_auto off",
        "# why\n%mw_status",
        "!ls",
        "x?",
        "?x",
        "",
        "\n",
        "# nothing",
        "%%time\nx",
    ],
)
def test_every_other_cell_stays_what_it_is(cell):
    assert made(cell, "") == TransformerManager().transform_cell(cell)


@pytest.mark.parametrize("session", [None, ""])
def test_a_local_cell_is_for_the_notebook(session):
    assert made("%%local\nx = 1\n1/0", session) == "\nx = 1\n1/0\n"
    assert "run_cell_magic" not in made("# here\n%%local\nx", session)


def test_a_terminal_asks_for_no_empty_line_more():
    auto, manager = Auto(), TransformerManager()
    auto.session = ""
    manager.cleanup_transforms.append(auto.rewrite)
    assert manager.check_complete("x = 1") == ("complete", None)
    assert manager.check_complete("for i in x:")[0] == "incomplete"
