"""Errors stored as JSON and raised again without TensorFlow: reports depend only on this data.

``python -m tests.support.runs.errors [PROGRAM ...]`` records the errors of this TensorFlow again.
"""

from __future__ import annotations

import builtins
import importlib.metadata
import json
import re
import site
import sys
import sysconfig
import tempfile
import traceback
import types
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mwtutor.worker.patches import first_use

GOLDEN = Path(__file__).parents[2] / "golden"

#: The number of frames kept of the code that raised an error, besides the program's own.
_INNERMOST = 12


def path() -> Path:
    """The record of the installed TensorFlow."""
    release = ".".join(importlib.metadata.version("tensorflow").split(".")[:2])
    return GOLDEN / f"errors_tensorflow_{release}.json"


def recorded(error: BaseException, program: Path) -> dict[str, Any]:
    """The part of an error on which reports depend; the paths fit any installation."""
    places = {
        str(program.parent): "<here>",
        **dict.fromkeys(site.getsitepackages(), "<site>"),
        sysconfig.get_path("stdlib"): "<python>",
    }

    def moved(text: str) -> str:
        for known, name in places.items():
            text = text.replace(known, name)
        return text

    frames = traceback.extract_tb(error.__traceback__)
    kept = [f for f in frames[:-_INNERMOST] if f.filename == str(program)] + frames[-_INNERMOST:]
    looked, first = getattr(error, "obj", None), first_use.line()
    return {
        "class": type(error).__name__,
        "module": type(error).__module__,
        "message": moved(str(error)),
        "frames": [[moved(frame.filename), frame.lineno, frame.name] for frame in kept],
        "object of": [base.__module__ for base in type(looked).__mro__],
        "import": [getattr(error, "name", None), getattr(error, "path", None)],
        "first use": [moved(first.filename), first.lineno, first.name] if first else None,
    }


def essence(record: Mapping[str, Any]) -> tuple[str, str, list[str]]:
    """The parts that must be the same each time: the class, and the first words of the message.

    Words with a number or a path are left out, and the order of the others does not count, because
    Python shows a set in a different order each time.
    """
    line, _, _ = record["message"].strip().partition("\n")
    words = [word for word in line[:200].split() if not re.search(r"[\d/<]", word)]
    return record["module"], record["class"], sorted(re.findall(r"\w+", " ".join(words)))


def raised_again(record: Mapping[str, Any], here: Path) -> BaseException:
    """The error of a record, as if a program in this directory had raised it."""
    places = {
        "<here>": str(here),
        "<site>": site.getsitepackages()[0],
        "<python>": sysconfig.get_path("stdlib"),
    }

    def moved(text: str) -> str:
        for name, known in places.items():
            text = text.replace(name, known)
        return text

    message = moved(record["message"])
    base = getattr(builtins, record["class"], Exception)
    names = {"__module__": record["module"], "__str__": lambda self: message}
    error: BaseException = type(record["class"], (base,), names)()
    if isinstance(error, ImportError):
        error.name, error.path = record["import"]
    if isinstance(error, AttributeError):
        kin: Any = object
        for module in reversed(record["object of"][:-1]):
            kin = type("Kin", (kin,), {"__module__": module})
        error.obj = kin()
    error.__traceback__ = None
    for file, line, name in reversed(record["frames"]):
        frame = _frame(moved(file), line, name)
        error.__traceback__ = types.TracebackType(error.__traceback__, frame, frame.f_lasti, line)
    return error


def first_use_of(record: Mapping[str, Any], here: Path) -> list[traceback.FrameSummary]:
    if record["first use"] is None:
        return []
    file, line, name = record["first use"]
    return [traceback.FrameSummary(file.replace("<here>", str(here)), line, name)]


def _frame(file: str, line: int, name: str) -> types.FrameType:
    """A frame at this line of a function with this name."""
    source = "\n" * (line - 1) + "stands = __import__('sys')._getframe()"
    names: dict[str, Any] = {}
    exec(compile(source, file, "exec").replace(co_name=name), names)
    frame: types.FrameType = names["stands"]
    return frame


def main() -> None:
    from tests.unit.worker.test_advice import RAISING, WRITTEN_FOR_KERAS_2, run_all

    programs = {name: source for name, (source, _) in RAISING.items()} | WRITTEN_FOR_KERAS_2
    chosen = {name: programs[name] for name in sys.argv[1:] or programs}
    with tempfile.TemporaryDirectory() as directory:
        told = run_all(Path(directory), chosen)
    before = json.loads(path().read_text()) if path().exists() else {}
    records = before | {name: error["record"] for name, error in told.items()}
    kept = sorted(records.keys() & programs.keys())
    lines = [f"{json.dumps(name)}: {json.dumps(records[name])}" for name in kept]
    path().write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
