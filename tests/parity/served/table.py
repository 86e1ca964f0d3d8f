"""The table of docs/how-to/parameter-servers-keras.md: ``python -m tests.parity.served.table``."""

from __future__ import annotations

from tests.parity.case import Case
from tests.parity.served.cases import CASES
from tests.parity.table import COLUMNS, cell, markdown
from tests.support.tables.estimator import FEATURES


def table() -> str:
    """Rows by columns, and the Estimator's rows about these strategies, which name their tests."""
    titles = ["row", *(column.title for column in COLUMNS), "workers", "note"]
    return markdown(titles, [*map(_line, rows().items()), *_estimator()])


def rows() -> dict[str, list[Case]]:
    found: dict[str, list[Case]] = {}
    for case in CASES.cases:
        found.setdefault(case.row, []).append(case)
    return found


def _line(row: tuple[str, list[Case]]) -> list[str]:
    name, cases = row
    sizes = sorted({size for case in cases for size in case.workers})
    notes = "; ".join(case.note for case in cases if case.note)
    cells = [cell(column.keras, cases) for column in COLUMNS]
    return [name, *cells, ", ".join(map(str, sizes)), notes]


def _estimator() -> list[list[str]]:
    """Estimators use Keras 2; the name of each feature contains its own promise."""
    lines = []
    for feature in FEATURES:
        if "parameter server" in feature.name:
            cells = ["yes" if c.keras[0] == 2 else "not in Keras 3" for c in COLUMNS]
            tests = ", ".join(f"`{test}`" for test in feature.tests)
            lines.append([f"Estimator: {feature.name}", *cells, "1", tests])
    return lines


if __name__ == "__main__":
    print(table())
