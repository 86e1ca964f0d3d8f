"""13-1: the line for three machines."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from mwtutor.exercises.exercise import (
    Verdict,
    Work,
    not_yet,
    right,
    wrong,
)

_MACHINES, _GPUS = ("m1", "m2", "m3"), 2

#: The options of each launcher for the machines and for the number of processes, with the
#: abbreviations that it accepts.
_HOSTS = {"horovodrun": {"-H", "--hosts"}, "mpirun": {"-H", "--H", "-host", "--host"}}
_NUMBER = {
    "horovodrun": {"-n", "-np", "--num-proc"},
    "mpirun": {"-n", "--n", "-np", "--np", "-c", "--c"},
}
_HOST_FILES = {"-hostfile", "--hostfile", "-machinefile", "--machinefile"}
_ONLY_MPIRUN = {
    *("-x", "-bind-to", "--bind-to", "-map-by", "--map-by"),
    *("--oversubscribe", "--allow-run-as-root", "--"),
}
#: What a learner may take for an option of either launcher.
_OPTIONS = {"-hosts", "-num-proc"}.union(_ONLY_MPIRUN, *_HOSTS.values(), *_NUMBER.values())


def check(work: Work) -> Verdict:
    line = work.value("line")
    if line is None:
        return not_yet()
    if not isinstance(line, str):
        return wrong("`line` is not a string.")
    try:
        words = shlex.split(line)
    except ValueError:
        return wrong("`line` has quotes that are not closed.")
    if not words or words[0] not in ("horovodrun", "mpirun"):
        return wrong("`line` begins neither with `horovodrun` nor with `mpirun`.")
    if words[-2:] != ["python", "train.py"]:
        return wrong("`line` does not end with what each process executes, `python train.py`.")
    return _judge_line(words[0], words[1:-2])


def _judge_line(launcher: str, words: Sequence[str]) -> Verdict:
    wanted = len(_MACHINES) * _GPUS
    known = _HOSTS[launcher] | _NUMBER[launcher]
    known |= _ONLY_MPIRUN if launcher == "mpirun" else set()
    for word in words:
        if (name := word.partition("=")[0]) in _OPTIONS - known:
            return wrong(f"`{launcher}` has no option `{name}`.")
    named, numbers = _after(words, _HOSTS[launcher]), _after(words, _NUMBER[launcher])
    # mpirun adds up the machines of several options; horovodrun uses the last
    hosts = ",".join(named if launcher == "mpirun" else named[-1:])
    number = "".join(numbers[-1:])
    if not hosts and _after(words, _HOST_FILES):
        return wrong("The machines are in another file. Name them in `line` itself.")
    if not hosts:
        return wrong("No machine is named: all processes would run where you type this line.")
    slots = _slots(hosts)
    if sorted(slots) != sorted(_MACHINES):
        return wrong(f"The machines it names are {', '.join(filter(None, slots))[:100]}.")
    if launcher == "horovodrun" and (bare := [one for one in hosts.split(",") if ":" not in one]):
        return wrong(f"`horovodrun` needs a number of slots with each machine; {bare[0]} has none.")
    room = sum(slots.values())
    if launcher == "mpirun" and not number:
        number = str(room)  # Open MPI fills the slots
    if not number:
        return wrong("`horovodrun` needs the number of processes.")
    if number != str(wanted):
        return wrong(
            f"It starts {number[:20]} processes. Start one for each GPU:"
            f" {_GPUS} on each of {len(_MACHINES)} machines."
        )
    if room < wanted:
        return wrong(
            f"The machines have slots for {room} processes: a machine without a number has one."
        )
    if set(slots.values()) != {_GPUS}:
        return wrong(
            f"It has slots for {', '.join(f'{n} on {name}' for name, n in slots.items())}, so"
            " some ranks may have a local rank without a GPU."
        )
    return right(f"{wanted} processes, {_GPUS} on each machine: local ranks 0 to {_GPUS - 1}.")


def _after(words: Sequence[str], options: set[str]) -> list[str]:
    """The words after these options, or joined to them by an equals sign."""
    found = []
    for word, following in zip(words, [*words[1:], ""], strict=True):
        name, equals, value = word.partition("=")
        if name in options:
            found.append(value if equals else following)
    return found


def _slots(hosts: str) -> dict[str, int]:
    """How many processes each machine takes; if it is named twice, both numbers count."""
    found: dict[str, int] = {}
    for host in hosts.split(","):
        name, _, slots = host.partition(":")
        found[name] = found.get(name, 0) + (int(slots) if slots.isdecimal() else 1)
    return found
