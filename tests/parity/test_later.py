"""Reading the files of rows imports no TensorFlow, and a row finds it when it is executed."""

from __future__ import annotations

import subprocess
import sys

from tests.parity.cluster import ROOT
from tests.parity.later import imported_when_used

READ = "import sys, tests.parity.cases, tests.parity.served.cases as _; print(*sys.modules)"


def test_the_files_of_rows_import_no_tensorflow() -> None:
    done = subprocess.run([sys.executable, "-c", READ], cwd=ROOT, capture_output=True, text=True)
    assert "tests.parity.served.cases.data" in done.stdout.split(), done.stderr
    assert "tensorflow" not in done.stdout.split()


def test_a_module_is_imported_when_it_is_first_used(monkeypatch) -> None:
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    with imported_when_used("colorsys"):
        import colorsys
    assert "colorsys" not in sys.modules
    assert colorsys.rgb_to_hsv(0, 0, 1) == (2 / 3, 1, 1)
    assert "colorsys" in sys.modules
