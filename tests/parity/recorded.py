"""Which rows of Keras 2 need not be tested again: ``python -m tests.parity.recorded`` records them.

A row of Keras 2 uses nothing of this package: it tests TensorFlow, and its result can change only
with TensorFlow, Keras, or the row itself. So a file of rows that has passed is recorded with its
code and these versions. Its rows get the mark ``recorded``, which ``make test-all`` leaves out and
``make test-extra WHAT=bridges`` does not.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.metadata
import json
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.parity.case import Case
from tests.parity.cases import ALL
from tests.parity.served.cases import CASES as SERVED
from tests.parity.versions import version_of

ROOT = Path(__file__).resolve().parents[2]
RECORD = ROOT / "tests" / "golden" / "keras_2_rows.json"

#: The files that execute and judge every row.
_COMMON = (
    "case.py",
    "cluster.py",
    "models.py",
    "program.py",
    "test_parity.py",
    "served/program.py",
    "served/servers.py",
    "served/test_served.py",
    "served/cases/common.py",
)


@functools.cache
def versions() -> str:
    """The versions of Python and of the packages that execute a row of Keras 2."""
    keras_2 = "keras" if version_of("keras")[0] == 2 else "tf_keras"
    installed = [f"Python {sys.version_info[0]}.{sys.version_info[1]}"]
    for package in ("tensorflow", keras_2, "numpy"):
        if version_of(package) > (0, 0):
            installed.append(f"{package} {importlib.metadata.version(package)}")
    return ", ".join(installed)


@functools.cache
def _record() -> dict[str, dict[str, str]]:
    return json.loads(RECORD.read_text()) if RECORD.exists() else {}


def is_recorded(case: Case) -> bool:
    """Whether this row of Keras 2, as written now, has passed with these versions."""
    path = _home(case)
    return _record().get(versions(), {}).get(path) == digest(_sources(path))


def marks(keras: int, case: Case) -> list[pytest.MarkDecorator]:
    """The marks of a row that ``make test`` leaves out."""
    recorded = keras == 2 and is_recorded(case)
    return [pytest.mark.full, pytest.mark.recorded] if recorded else [pytest.mark.full]


def _home(case: Case) -> str:
    """The file of the row."""
    path = sys.modules[case.run.__module__].__file__
    assert path is not None
    return str(Path(path).resolve().relative_to(ROOT))


@functools.cache
def _sources(home: str) -> tuple[str, ...]:
    here = Path(__file__).parent
    return tuple(path.read_text() for path in (*map(here.joinpath, _COMMON), ROOT / home))


@functools.cache
def digest(sources: Iterable[str]) -> str:
    """A digest of the sources' code: comments, docstrings and the table's notes may change."""
    return hashlib.sha256("\n".join(map(_code, sources)).encode()).hexdigest()[:16]


@functools.cache
def _code(source: str) -> str:
    tree = ast.parse(source)
    for node in ast.walk(tree):
        documented = isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef))
        if documented and ast.get_docstring(node):
            node.body[0] = ast.Pass()
        if isinstance(node, ast.Call):
            node.keywords = [one for one in node.keywords if one.arg != "note"]
    return ast.unparse(tree)


def main() -> int:
    """Execute all rows of Keras 2; if all of them pass, record them."""
    words = [
        "-m",
        "pytest",
        "-m",
        "bridges",
        "-k",
        "test_row and keras2",
        "-q",
        "--durations=4",
        "tests/parity",
    ]
    if status := subprocess.call([sys.executable, *words], cwd=ROOT):
        return status
    homes = sorted({_home(case) for case in (*ALL, *SERVED.cases) if 2 in case.promise})
    passed = {versions(): {home: digest(_sources(home)) for home in homes}}
    RECORD.write_text(json.dumps({**_record(), **passed}, indent=1, sort_keys=True) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
