"""Which rows need not be tested again: ``python -m tests.parity.recorded`` records them.

A row of Keras 2 uses nothing of this package: it tests TensorFlow, and its result can change only
with TensorFlow, Keras, or the row itself. A row of Keras 3 also uses the compatibility layer, and
what that imports. So a file of rows that has passed is recorded with a digest of this code and with
these versions. Its rows get the mark ``recorded``, which ``make test-all`` leaves out and ``make
test-extra WHAT=bridges`` does not.
"""

from __future__ import annotations

import argparse
import ast
import functools
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest

from tests.parity.case import Case
from tests.parity.cases import ALL
from tests.parity.served.cases import CASES as SERVED
from tests.parity.versions import keras_versions, version_of
from tests.support import digests

Test = TypeVar("Test", bound=Callable[..., None])

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "tests" / "golden" / "recorded_rows.json"

#: The files that execute and judge every row.
_COMMON = (
    "case.py",
    "cluster.py",
    "models.py",
    "program.py",
    "judging.py",
    "served/program.py",
    "served/servers.py",
    "served/test_served.py",
    "served/cases/common.py",
)

#: What a row of Keras 3 uses besides, as its processes import it: see :func:`reached`.
_LAYER = ("mwtutor/bridges/keras3/**/*.py", "tests/support/clusters/warm.py")

#: What the functions of this file import is for callers that no row has.
_FACADE = ROOT / "mwtutor" / "__init__.py"


@functools.cache
def versions(keras: int) -> str:
    """The versions of Python and of the packages that execute a row of this Keras."""
    name = "keras" if version_of("keras")[0] == keras else "tf_keras"
    return digests.versions(("tensorflow", name, "numpy", *(["h5py"] if keras == 3 else [])))


@functools.cache
def _record() -> dict[str, dict[str, str]]:
    return json.loads(RECORD.read_text()) if RECORD.exists() else {}


def is_recorded(keras: int, home: str) -> bool:
    """Whether the rows of this file, as written now, have passed with these versions."""
    return _record().get(versions(keras), {}).get(home) == digests.digest(_sources(keras, home))


def marks(keras: int, case: Case) -> list[pytest.MarkDecorator]:
    """The marks of a row that ``make test`` leaves out."""
    return _marks(is_recorded(keras, _home(case)))


def mark_as_all_rows(keras: int) -> Callable[[Test], Test]:
    """Mark a test of all rows of this Keras under MultiWorkerMirroredStrategy."""

    def mark(test: Test) -> Test:
        for one in _marks(all(is_recorded(keras, home) for home in _homes(keras, ALL))):
            one(test)
        return test

    return mark


def _marks(recorded: bool) -> list[pytest.MarkDecorator]:
    return [pytest.mark.full, pytest.mark.recorded] if recorded else [pytest.mark.full]


def _homes(keras: int, cases: Iterable[Case]) -> list[str]:
    return sorted({_home(case) for case in cases if keras in case.promise})


def _home(case: Case) -> str:
    """The file of the row."""
    path = sys.modules[case.run.__module__].__file__
    assert path is not None
    return str(Path(path).resolve().relative_to(ROOT))


@functools.cache
def _sources(keras: int, home: str) -> tuple[str, ...]:
    files = {Path(__file__).parent / name for name in _COMMON} | {ROOT / home}
    files.update(path for path in _imported(ROOT / home) if path.name != "__init__.py")
    if keras == 3:
        files |= layer()
    return tuple(path.read_text() for path in sorted(files))


@functools.cache
def layer() -> frozenset[Path]:
    """The files of this package that a row of Keras 3 may use, and what starts its processes."""
    return frozenset(reached(path for pattern in _LAYER for path in ROOT.glob(pattern)))


def reached(files: Iterable[Path]) -> set[Path]:
    """These files and all that they import from this repository, directly or not."""
    found: set[Path] = set()
    new = set(files)
    while new:
        found |= new
        new = {file for path in new for file in _imported(path)} - found
    return found


def _imported(path: Path) -> Iterator[Path]:
    """The files of the modules that a file imports, and of the packages that contain them."""
    passed_over = (ast.FunctionDef,) if path == _FACADE else ()
    for node in _executed(ast.parse(path.read_text()), passed_over):
        names = []
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{path} has a relative import"
            names = [f"{node.module}.{one.name}" for one in node.names]
        elif isinstance(node, ast.Import):
            names = [one.name for one in node.names]
        for name in names:
            parts = name.split(".")
            for end in range(1, len(parts) + 1):
                place = ROOT.joinpath(*parts[:end])
                yield from filter(Path.is_file, (place / "__init__.py", place.with_suffix(".py")))


def _executed(node: ast.AST, passed_over: tuple[type[ast.AST], ...]) -> Iterator[ast.AST]:
    """The nodes of a tree, except for those that only a type checker reads."""
    yield node
    for child in ast.iter_child_nodes(node):
        for_types = isinstance(child, ast.If) and ast.unparse(child.test) == "TYPE_CHECKING"
        if not for_types and not isinstance(child, passed_over):
            yield from _executed(child, passed_over)


def main() -> int:
    """Execute the rows of these versions of Keras that are not recorded; if all pass, record them.

    ``make test-extra WHAT=bridges`` executes all rows.
    """
    parser = argparse.ArgumentParser(prog="python -m tests.parity.recorded")
    installed = sorted(keras_versions())
    parser.add_argument("--keras", type=int, choices=installed, nargs="+", default=installed)
    for keras in parser.parse_args().keras:
        rows = f"(test_row and keras{keras}) or row_of_keras_{keras}"
        rows += " or traced_again" if keras == 3 else ""
        homes = _homes(keras, (*ALL, *SERVED.cases))
        passed = {versions(keras): {home: digests.digest(_sources(keras, home)) for home in homes}}
        words = ["-m", "bridges and not recorded", "-k", rows, "-q", "--durations=4"]
        command = [sys.executable, "-m", "pytest", *words, "tests/parity"]
        if status := subprocess.call(command, cwd=ROOT):
            return status
        known = json.loads(RECORD.read_text()) if RECORD.exists() else {}
        RECORD.write_text(json.dumps({**known, **passed}, indent=1, sort_keys=True) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
