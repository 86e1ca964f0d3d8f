"""The cables of a run's machines, which commands unplug, plug and change during the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.network import links
from mwtutor.network.establish import MachineNetwork
from mwtutor.network.links import Link
from mwtutor.network.namespace import Unavailable
from mwtutor.run.record.events import Event, LinkChanged, Plugged, Unplugged

VERBS = ("unplug", "plug", "link")

Answer = dict[str, Any]


class Wires:
    """The cables of one run.

    Args:
        network: the machines; None if the run has none.
        place: gives the number of a task's machine.
        record: writes an event.
    """

    def __init__(
        self,
        network: MachineNetwork | None,
        place: Callable[[TaskId], int],
        record: Callable[[Event], None],
    ) -> None:
        self._network = network
        self._place = place
        self._record = record
        self._unplugged: set[int] = set()

    def obey(self, verb: str, task: TaskId, order: Mapping[str, Any]) -> Answer:
        """Obey a command; if it fails, the answer has ``error``, and perhaps ``remedy``."""
        if self._network is None:
            return {
                "error": f"{task} has no machine of its own, so it has no cable",
                "remedy": "Launch with --machines.",
            }
        machine = self._place(task)
        try:
            if verb == "link":
                return self._change(self._network, machine, task, str(order.get("link")))
            return self._plug(self._network, machine, task, connect=verb == "plug")
        except Unavailable as why:
            return {"error": str(why), "remedy": "Try a link without a delay, or launch again."}

    def _plug(
        self, network: MachineNetwork, machine: int, task: TaskId, *, connect: bool
    ) -> Answer:
        name = network.known[machine].name
        if connect != (machine in self._unplugged):
            done, undo = ("plugged in", "unplug") if connect else ("unplugged", "plug")
            return {"error": f"{name} is already {done}", "remedy": f"See also: @mw_{undo} {task}"}
        network.switch.plug(machine, connected=connect)
        if connect:
            self._unplugged.remove(machine)
            self._record(Plugged(name))
        else:
            self._unplugged.add(machine)
            self._record(Unplugged(name))
        return {"machine": name}

    def _change(self, network: MachineNetwork, machine: int, task: TaskId, text: str) -> Answer:
        name = network.known[machine].name
        try:
            link = Link.parse(text)
        except ValueError:
            return {"error": f"{text!r} is not a valid link", "remedy": links.REMEDY}
        network.switch.shape(machine, link)
        self._record(LinkChanged(name, str(link)))
        return {"machine": name}
