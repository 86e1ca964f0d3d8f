"""The table of the README, made from the list of cases: ``python -m tests.parity.table``.

Prints Markdown; the README holds the same text.
"""

from __future__ import annotations

from tests.parity.case import Case
from tests.parity.cases import ALL


def table() -> str:
    """Rows by Keras 2 and Keras 3; each cell is the promise that a test holds it to."""
    lines = ["| row | Keras 2 | Keras 3 | workers | note |", "|---|---|---|---|---|"]
    lines += [_line(case) for case in ALL]
    return "\n".join(lines) + "\n"


def _line(case: Case) -> str:
    cells = [
        case.promise[keras].value if keras in case.promise else "not tested" for keras in (2, 3)
    ]
    workers = ", ".join(str(size) for size in case.workers)
    return f"| {case.row} | {cells[0]} | {cells[1]} | {workers} | {case.note} |"


def patches_table() -> str:
    """What the bridge replaces in Keras, and why. Imports Keras and TensorFlow."""
    from mwtutor.bridges import keras3

    lines = ["| replaced | why | since | issue | until |", "|---|---|---|---|---|"]
    for patch in keras3.patches():
        place = patch.where.removeprefix("keras.src.").replace(":", ".")
        issues = ", ".join(f"[{_short(url)}]({url})" for url in patch.issue.split(", "))
        lines.append(
            f"| `{place}.{patch.name}` | {patch.why} | {patch.since} | {issues} | {patch.until} |"
        )
    return "\n".join(lines) + "\n"


def _short(url: str) -> str:
    owner, _, number = url.removeprefix("https://github.com/").split("/")[1:4]
    return f"{owner}#{number}"


if __name__ == "__main__":
    print(table())
    print(patches_table())
