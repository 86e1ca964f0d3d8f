"""The fuzzer of ``.mwtutor`` files: a few of its trials, and proof that it finds faults."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

pytest.importorskip("tensorboard")

_PATH = Path(__file__).parents[3] / "benchmarks" / "records.py"
_SPEC = importlib.util.spec_from_file_location("records_fuzzer", _PATH)
fuzzer = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(fuzzer)


@pytest.fixture(scope="module", autouse=True)
def preloaded() -> None:
    fuzzer.preload()


@pytest.mark.parametrize("seed", range(8))
def test_whatever_is_read_harms_nothing(seed):
    wrong = [words for words in fuzzer.trial(seed) if words.startswith("wrong")]
    assert not wrong, "\n".join(wrong)


def through_a_link() -> None:
    Path(".mwtutor/escape").write_text("written through a link")


def a_traceback() -> None:
    raise ZeroDivisionError


@pytest.mark.parametrize(
    ("fault", "said"),
    [(through_a_link, "wrong outside: ["), (a_traceback, "ZeroDivisionError")],
)
def test_it_sees_what_is_wrong(monkeypatch, fault, said):
    def link(draw: object, outside: Path) -> None:
        Path(".mwtutor").mkdir()
        Path(".mwtutor/escape").symlink_to(outside / "thesis.txt")

    monkeypatch.setattr(fuzzer, "make_place", link)
    monkeypatch.setattr(fuzzer, "actions", lambda: iter([("fault", fault)]))
    assert any(said in words for words in fuzzer.trial(0))
