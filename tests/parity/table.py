"""The bridges' tables, made from the tests: ``python -m tests.parity.table``.

Prints Markdown; ``docs/explanation/bridges.md`` contains the same text, and a test compares them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tests.parity.case import Case
from tests.parity.cases import ALL


@dataclass(frozen=True)
class Column:
    """A pair of versions, (major, minor), with which CI runs all rows except recorded ones.

    Attributes:
        tensorflow: TensorFlow's version.
        keras: Keras's version.
        newest: whether it was the newest when the table was made.
    """

    tensorflow: tuple[int, int]
    keras: tuple[int, int]
    newest: bool = False

    @property
    def title(self) -> str:
        return f"Keras {_shown(self.keras)}, TensorFlow {_shown(self.tensorflow)}"


COLUMNS = (
    Column((2, 15), (2, 15)),
    Column((2, 21), (2, 21), newest=True),
    Column((2, 16), (3, 10)),
    Column((2, 21), (3, 15), newest=True),
)


def _shown(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


def rows() -> dict[str, list[Case]]:
    """The cases of each row: one, or one per Keras version."""
    found: dict[str, list[Case]] = {}
    for case in ALL:
        found.setdefault(case.row, []).append(case)
    return found


def table() -> str:
    """Rows by columns; each cell is the promise that a test checks."""
    titles = ["row", *(column.title for column in COLUMNS), "workers", "note"]
    return markdown(titles, [_line(row, cases) for row, cases in rows().items()])


def _line(row: str, cases: list[Case]) -> list[str]:
    sizes = sorted({size for case in cases for size in case.workers})
    notes = "; ".join(case.note for case in cases if case.note)
    cells = [cell(column.keras, cases) for column in COLUMNS]
    return [row, *cells, ", ".join(map(str, sizes)), notes]


def cell(keras: tuple[int, int], cases: list[Case]) -> str:
    for case in cases:
        if case.runs_on(keras):
            return case.promise[keras[0]].value
    none_of_2 = keras[0] == 2 and not any(2 in case.promise for case in cases)
    return f"not in Keras {2 if none_of_2 else _shown(keras)}"


def markdown(titles: Sequence[str], lines: Sequence[Sequence[str]]) -> str:
    parts = [f"| {' | '.join(cells)} |\n" for cells in (titles, *lines)]
    parts.insert(1, "|" + "---|" * len(titles) + "\n")
    return "".join(parts)


def patches_table() -> str:
    """What the bridge replaces in Keras, and why. Imports Keras and TensorFlow."""
    from mwtutor.bridges import keras3

    lines = []
    for patch in keras3.patches():
        place = patch.where.removeprefix("keras.src.").replace(":", ".")
        issues = ", ".join(f"[{_short(url)}]({url})" for url in patch.issue.split(", "))
        lines.append([f"`{place}.{patch.name}`", patch.why, patch.since, issues, patch.until])
    return markdown(["replaced", "why", "since", "issue", "until"], lines)


def _short(url: str) -> str:
    owner, _, number = url.removeprefix("https://github.com/").split("/")[1:4]
    return f"{owner}#{number}"


if __name__ == "__main__":
    from tests.support.tables.estimator import table as estimator_table

    print(table())
    print(estimator_table())
    print(patches_table())
