"""The resource usage of a run's tasks, as a table."""

from __future__ import annotations

from html import escape

from mwtutor.display.words import mebibytes, size
from mwtutor.markup import badge, panel, row, table
from mwtutor.run.observations.usage import Load, Loads
from mwtutor.sanitize import harmless

_HEADER = ("task", "state", "CPU", "memory", "threads", "steps/s")
_WIRES = ("machine", "sent/s", "received/s")


class Top:
    """The usage of a run's tasks; displays itself as HTML or text.

    Args:
        until: the time of day at which an interrupt ended the updates; empty if none did.
    """

    def __init__(self, name: str, content: Loads, until: str = "") -> None:
        self.name = harmless(name)
        self.content = content
        self._until = until

    def __repr__(self) -> str:
        rows = [self._header, *map(_cells, self.content.tasks)]
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
        return panel(f"<div>{escape(self._head())}</div>", table(self._header, rows))

    @property
    def _header(self) -> tuple[str, ...]:
        return _HEADER + _WIRES * any(load.machine for load in self.content.tasks)

    def _head(self) -> str:
        facts = [self.name]
        busy = [load.cpu for load in self.content.tasks if load.cpu is not None]
        if busy:
            facts.append(f"{sum(busy):.1f} processors")
        if self.content.network is not None:
            facts.append(f"{size(self.content.network)}/s on its own network")
        if self._until:
            facts.append(f"interrupted at {self._until}, no longer updated")
        return " · ".join(facts)


def _cells(load: Load) -> tuple[str, ...]:
    return (
        str(load.task),
        load.status,
        "" if load.cpu is None else f"{100 * load.cpu:.0f} %",
        "" if load.memory is None else mebibytes(load.memory),
        str(load.threads or ""),
        "" if load.rate is None else f"{load.rate:.1f}",
        *((load.machine, *map(_speed, load.wire or ("", ""))) if load.machine else ()),
    )


def _speed(rate: float | str) -> str:
    return f"{size(rate)}/s" if isinstance(rate, float) else rate
