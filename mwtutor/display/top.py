"""What the tasks of a run take of the machine, as a table."""

from __future__ import annotations

from html import escape

from mwtutor.markup import badge, panel, row, table
from mwtutor.run.usage import Load, Loads
from mwtutor.sanitize import harmless

_HEADER = ("task", "state", "CPU", "memory", "threads", "steps/s")


class Top:
    """A look at the tasks of a run, which displays itself as its surroundings allow."""

    def __init__(self, name: str, content: Loads) -> None:
        self.name = harmless(name)
        self.content = content

    def __repr__(self) -> str:
        rows = [_HEADER, *map(_cells, self.content.tasks)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join(
                f"{cell:>{width}}" if place > 1 else f"{cell:{width}}"
                for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
            )
            for cells in rows
        ]
        return "\n".join([self._head(), *(f"  {line.rstrip()}" for line in lines)])

    def _repr_html_(self) -> str:
        rows = []
        for load in self.content.tasks:
            head, state, *others = _cells(load)
            rows.append(row(escape(head), badge(state), *map(escape, others)))
        return panel(f"<div>{escape(self._head())}</div>", table(_HEADER, rows))

    def _head(self) -> str:
        facts = [self.name]
        busy = [load.cpu for load in self.content.tasks if load.cpu is not None]
        if busy:
            facts.append(f"{sum(busy):.1f} processors")
        if self.content.network is not None:
            facts.append(f"{_size(self.content.network)}/s in its own network")
        return " · ".join(facts)


def _cells(load: Load) -> tuple[str, ...]:
    return (
        str(load.task),
        load.status,
        "" if load.cpu is None else f"{100 * load.cpu:.0f} %",
        "" if load.memory is None else _size(load.memory),
        str(load.threads or ""),
        "" if load.rate is None else f"{load.rate:.1f}",
    )


def _size(count: float) -> str:
    """Bytes as a person would say them: ``512 B``, ``1.4 MB``, ``310 MB``."""
    for unit in ("B", "kB", "MB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if count >= 10 or unit == "B" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:.1f} GB"
