"""What a task may say about itself, through a pipe that its program can also write to.

Anything else is ignored: otherwise a program could crash its supervisor with an incomplete message,
or announce the end of a run that is still going.
"""

from __future__ import annotations

import json
from types import NoneType

from mwtutor.run.record.eventlog import Event

#: The events, and the types of the fields that whoever reads them relies on.
_KNOWN: dict[str, dict[str, tuple[type, ...]]] = {
    "program_started": {},
    "program_ended": {"code": (int,), "advice": (str,)},
    "program_raised": {
        **dict.fromkeys(("error", "message", "file", "code", "function", "advice"), (str,)),
        "line": (int, NoneType),
    },
    "traceback": {"begin": (int,), "end": (int,)},
    "progress": {
        **dict.fromkeys(("epoch", "epochs", "step", "steps"), (int, NoneType)),
        "metrics": (dict,),
    },
    "serving": {},
    "closures": {
        **dict.fromkeys(("scheduled", "retried", "failed", "cancelled"), (int,)),
        "done": (dict,),
        "computing": (list,),
    },
    "strategy": {"wanted": (str,), "by": (str,)},
    "joined": {"workers": (int,)},
    "place": {"name": (str,), "address": (str,), "tasks": (int,), "changed": (bool,)},
    "keras": {"version": (str,)},
    "weights": {"fit": (int,), "sums": (list,)},
    "child_ended": {"program": (str,), "exit": (int,)},
    "evaluation_left_out": {},
    "without_effect": {"what": (str,)},
    "collective": {"op": (str,), "hint": (str,), "device": (str,)},
}

_OPTIONAL = {"advice", "epoch", "epochs", "step", "steps"}


def parse(line: bytes) -> Event | None:
    """The event in one line of the pipe; None if it is not one that a task may send."""
    try:
        said = json.loads(line)
    except (ValueError, RecursionError):
        return None
    fields = _KNOWN.get(str(said.get("event"))) if isinstance(said, dict) else None
    if fields is None:
        return None
    for name, types in fields.items():
        if name not in said and name in _OPTIONAL:
            continue
        if name not in said or not isinstance(said[name], types):
            return None
    if "metrics" in fields:
        said["metrics"] = {
            name: value
            for name, value in said["metrics"].items()
            if isinstance(value, (int, float))
        }
    return {"event": said["event"], **{name: said[name] for name in fields if name in said}}
