"""Which tests stay in one process of ``pytest -n``, and which come first."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from tests.support import order

UNTOUCHED = "tests/course/test_untouched.py::test_a_notebook"
ROW = "tests/parity/test_parity.py::test_row"


@pytest.mark.parametrize(
    ("one", "other", "together"),
    [
        ("tests/e2e/test_kernel.py::test_a", "tests/e2e/test_kernel.py::test_b[1]", True),
        ("tests/e2e/test_kernel.py::test_a", "tests/e2e/test_launch.py::test_a", False),
        (f"{UNTOUCHED}[02]", f"{UNTOUCHED}[03]", False),
        ("tests/e2e/test_targets.py::test_a", "tests/e2e/test_targets.py::test_b", False),
        (f"{ROW}[keras3-2workers-a]", f"{ROW}[keras3-3workers-b]", True),
        (f"{ROW}[keras3-2workers-a]", f"{ROW}[keras2-2workers-a]", False),
        (f"{ROW}[keras3-2workers-a]", "tests/parity/test_parity.py::test_none_is_traced", True),
        (f"{ROW}[keras2-2workers-a]", "tests/parity/test_parity.py::test_row_of_keras_2", True),
    ],
)
def test_what_shares_a_kernel_or_a_cluster_stays_together(one, other, together):
    assert (order.shared(one) == order.shared(other)) is together


def test_what_takes_long_comes_first_and_a_file_keeps_its_order():
    names = ["tests/unit/b.py::z", "tests/unit/b.py::a", "tests/e2e/c.py::x", f"{ROW}[keras2-a]"]
    items = [SimpleNamespace(nodeid=name) for name in names]
    order.sort(items)  # type: ignore[arg-type]
    assert [item.nodeid for item in items] == [names[3], names[2], names[0], names[1]]
