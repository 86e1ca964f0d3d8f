"""02-2: start the workers."""

from __future__ import annotations

import json
import os
from typing import Any

from mwtutor.exercises.exercise import (
    Verdict,
    Work,
    not_yet,
    right,
    wrong,
)


def check(work: Work) -> Verdict:
    met = sorted((_note(path) for path in work.folder.glob("met-*.json")), key=str)
    started = len(list(work.folder.glob("here-*.json")))
    if not met and started:
        return wrong(
            f"Workers started: {started}, but none left a note. Each failed before that: read what"
            " it printed."
        )
    if not met:
        return not_yet("No worker was started.")
    if "TF_CONFIG" in os.environ:
        return wrong(
            "The workers ran, but TF_CONFIG is now set in the notebook as well: everything that"
            " you start later inherits it."
        )
    if len(met) != 2:
        return wrong(f"Two workers should run, but {len(met)} did.")
    indices = sorted(note.get("index", -1) for note in met)
    if indices != [0, 1]:
        return wrong(
            f"The indices of the workers are {indices[0]} and {indices[1]}: each worker needs its"
            " own TF_CONFIG."
        )
    if not all(note.get("path") for note in met):
        return wrong("A worker has no PATH: `env=` is the whole environment of a process.")
    if alone := [note["index"] for note in met if note.get("met") != 2]:
        return wrong(
            f"Worker {alone[0]} met no other worker and gave up: the other did not start in time."
        )
    if any(note.get("returned") is False for note in met):
        return wrong(
            "The workers ran and met, but they exited before start_workers returned: it must not"
            " wait for them."
        )
    processes = work.value("processes")
    if not isinstance(processes, (list, tuple)) or len(processes) != 2:
        return wrong(
            "The workers ran and met, but start_workers does not return the two processes: without"
            " them you cannot wait for the workers or stop them."
        )
    return right("The two processes have different indices, and they met.")


def _note(path: Any) -> dict[str, Any]:
    try:
        found = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}
