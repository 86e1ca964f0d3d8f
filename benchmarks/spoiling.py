"""Create a corrupted directory ``.mwtutor``, and files outside it, for ``records.py``."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import random
import socket
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.exercises import guidance, workspaces
from mwtutor.run.logs.log_index import ENTRY
from mwtutor.run.observations import moments
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.store import Store

NOBODY = 65534

#: Replacements for a JSON value; none of the numbers can be the pid of another user's process.
VALUES: tuple[Any, ...] = (
    None, True, "", "\0", "x" * 70_000, "../../x", "/elsewhere/x", "a\nb\x1b[31m\u202e", "\ud800",
    [], {}, [[]], {"": None}, 0.5, -0.5, 1e308, float("nan"), float("inf"), -float("inf"),
    0, 1 << 40, 1 << 64, 10**400, "worker:0", "worker:999999", "²",
)  # fmt: skip
DEEP = "[" * 100_000

EVENTS: tuple[dict[str, Any], ...] = (
    {"event": "run_started", "cluster": {"worker": ["h:1", "h:2"]}, "pid": 0,
     "network": {"kind": "private", "why": ""},
     "machines": [{"name": "machine-0", "address": "10.0.0.1", "link": "1gbit",
                   "tasks": ["worker:0", "worker:1"]}]},
    {"event": "task_started", "task": "worker:0", "attempt": 1, "pid": 0},
    {"event": "task_started", "task": "worker:1", "attempt": 1, "pid": 0},
    {"event": "program_started", "task": "worker:0"},
    {"event": "strategy", "task": "worker:0", "wanted": "AUTO", "by": "TensorFlow's choice"},
    {"event": "joined", "task": "worker:0", "workers": 2},
    {"event": "listening", "task": "worker:0"},
    {"event": "cluster_formed"},
    {"event": "collective", "task": "worker:0", "op": "reduce", "hint": "auto", "device": "CPU"},
    {"event": "progress", "task": "worker:0", "epoch": 1, "epochs": 2, "step": 3, "steps": 9,
     "metrics": {"loss": 0.5}},
    {"event": "closures", "task": "worker:0", "scheduled": 4, "done": {"worker:1": 3}, "retried": 1,
     "failed": 0, "cancelled": 0, "computing": ["worker:1"]},
    {"event": "unplugged", "machine": "machine-0"},
    {"event": "link_changed", "machine": "machine-0", "link": "10mbit"},
    {"event": "plugged", "machine": "machine-0"},
    {"event": "task_halted", "task": "worker:1"},
    {"event": "task_continued", "task": "worker:1"},
    {"event": "killed", "task": "worker:1", "signal": 9},
    {"event": "program_raised", "task": "worker:1", "error": "ValueError", "message": "no",
     "file": "main.py", "line": 3, "code": "f()", "function": "f", "advice": ""},
    {"event": "task_ended", "task": "worker:1", "status": "failed", "exit": 1, "reason": "no"},
    {"event": "task_lost", "task": "worker:1", "attempt": 2, "restart_in": 1.0},
    {"event": "attempt_failed", "attempt": 1, "reason": "no", "culprit": "worker:1",
     "restart_in": 1.0},
    {"event": "attempt_started", "attempt": 2},
    {"event": "ending", "status": "failed", "reason": "no"},
    {"event": "run_ended", "status": "failed", "reason": "no", "culprit": "worker:1"},
)  # fmt: skip


# -- a directory, and what is outside of it -----------------------------------------------------


def make_outside(place: Path) -> None:
    place.mkdir()
    (place / "thesis.txt").write_text("years\n")
    (place / "keys").mkdir(mode=0o700)
    (place / "keys" / "id").write_text("secret\n")
    (place / "worker-0.log").write_text("another log\n")
    (place / "empty").mkdir()


def fingerprint(place: Path) -> dict[str, tuple[object, ...]]:
    """The kind, mode, owner, modification time and hash of each file."""
    found = {}
    for path in [place, *sorted(place.rglob("*"))]:
        seen = path.lstat()
        data = path.read_bytes() if stat.S_ISREG(seen.st_mode) else b""
        digest = hashlib.sha256(data).hexdigest()
        found[str(path)] = (seen.st_mode, seen.st_uid, seen.st_gid, seen.st_mtime_ns, digest)
    return found


def make_runs(draw: random.Random) -> None:
    """Create two runs in the current directory: one has ended, one has lost its supervisor."""
    for number, name in enumerate(("main", "other")):
        directory = Store().new(name)
        request = {"program": "main.py", "workers": 2, "name": name, "cwd": os.getcwd()}
        spec = RunSpec.from_json({
            "id": directory.name, "directory": str(directory), "request": request,
            "created": 1e9 + number, "launcher": (0, 0), "inode": directory.stat().st_ino,
        })  # fmt: skip
        spec.save()
        events = EVENTS if name == "main" else EVENTS[: draw.randrange(1, len(EVENTS) - 1)]
        lines = [json.dumps({"t": 1e9 + at, **event}) for at, event in enumerate(events)]
        spec.events.write_text("\n".join(lines) + "\n")
        spec.lock.write_text(json.dumps({"pid": 0, "born": 0, "inode": []}))
        (directory / "traffic.jsonl").write_text("[1e9, [[1, 2]]]\n[1000000009.0, [[10, 20]]]\n")
        (directory / "supervisor.log").write_text("words\n")
        for task in (TaskId("worker", 0), TaskId("worker", 1)):
            log = spec.log(task)
            log.write_text("Epoch 1\nwords\nValueError: no\n")
            log.with_suffix(".idx").write_bytes(ENTRY.pack(0, 1e9) + ENTRY.pack(8, 1e9 + 1))
            moments.file(log).write_bytes(draw.randbytes(96))
            log.with_suffix(".native").write_text('Thread 0x1:\n  File "a.py", line 3 in f\n')
            log.with_suffix(".scratch").write_bytes(b"/tmp/x/.model.\0")
            log.with_suffix(".generated").write_bytes(b"/tmp/__autograph_generated_file0.py\n")
            spec.tf_config(task).write_text('{"cluster": {"worker": ["h:1", "h:2"]}}\n')


def make_place(draw: random.Random, outside: Path) -> None:
    """Create a user's files in the current directory, and corrupt some of them."""
    make_runs(draw)
    guidance.hint("03-1")
    workspaces.workspace("lesson-03")
    os.chdir("..")
    root = Path(".mwtutor")
    places = sorted([root, Path("lesson-03") / workspaces.MARK, *root.rglob("*")])
    places += [root / ".progress.lock", root / "main.lock"]  # as in earlier versions
    # Files that many actions need, and that lead to everything else, are corrupted more often.
    weights = [9 if path.parent == root else 1 + 3 * ("json" in path.name) for path in places]
    for path in dict.fromkeys(draw.choices(places, weights, k=draw.randrange(1, 6))):
        # The file, or a directory above it, is corrupted already.
        with contextlib.suppress(OSError, ValueError, RecursionError):
            draw.choice(WAYS)(path, draw, outside)


# -- ways to corrupt a file ---------------------------------------------------------------------


def other_bytes(path: Path, draw: random.Random, outside: Path) -> None:
    data = bytearray(path.read_bytes())
    for _ in range(draw.randrange(1, 9)):
        at = draw.randrange(len(data) + 1)
        data[at : at + draw.randrange(4)] = draw.randbytes(draw.randrange(4))
    path.write_bytes(data[: draw.choice((len(data), draw.randrange(len(data) + 1)))])


def whole_other_bytes(path: Path, draw: random.Random, outside: Path) -> None:
    at = draw.choice((float("nan"), float("inf"), 1e300, -1.0))
    whole = (b"", b"\xff" * 99, DEEP.encode(), draw.randbytes(3000), b"NaN", b"{}", b"[]")
    whole += (ENTRY.pack(8, at) * 4, b'{"event": "run_ended"}\n' * 2000)
    path.write_bytes(draw.choice(whole))


def other_values(path: Path, draw: random.Random, outside: Path) -> None:
    """Change values in JSON; in a log, on lines drawn at random."""
    lines = path.read_text().split("\n") if path.suffix == ".jsonl" else [path.read_text()]
    for _ in range(draw.randrange(1, 4)):
        at = draw.randrange(len(lines))
        with contextlib.suppress(ValueError):
            lines[at] = json.dumps(_changed(json.loads(lines[at]), draw, outside))
        if draw.random() < 0.1:
            lines[at] = lines[at].replace("0", DEEP, 1)
        if draw.random() < 0.2:
            lines.insert(draw.randrange(len(lines)), lines[at])
    path.write_text("\n".join(lines))


def _changed(data: Any, draw: random.Random, outside: Path) -> Any:
    if not isinstance(data, (dict, list)) or not data or draw.random() < 0.1:
        return draw.choice((*VALUES, str(outside), str(outside / "thesis.txt"), f"../{outside}"))
    at = draw.choice(list(data) if isinstance(data, dict) else range(len(data)))
    if isinstance(data, dict) and draw.random() < 0.1:
        del data[at]
    else:
        data[at] = _changed(data[at], draw, outside)
    return data


def _emptied(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        path.rename(path.with_name(f"{path.name}-moved"))
    else:
        path.unlink(missing_ok=True)


def a_link(path: Path, draw: random.Random, outside: Path) -> None:
    was_directory = path.is_dir()
    _emptied(path)
    moved = Path(f"{path.name}-moved")
    targets = [outside, *[outside / name for name in ("thesis.txt", "new.txt", "keys")]]
    targets += [Path("/dev/zero"), Path("/dev/tty"), path.absolute(), *[moved] * was_directory]
    path.symlink_to(draw.choice(targets))


def another_name(path: Path, draw: random.Random, outside: Path) -> None:
    _emptied(path)
    os.link(outside / "thesis.txt", path)


def a_pipe(path: Path, draw: random.Random, outside: Path) -> None:
    _emptied(path)
    os.mkfifo(path)


def a_directory(path: Path, draw: random.Random, outside: Path) -> None:
    _emptied(path)
    path.mkdir()


def a_socket(path: Path, draw: random.Random, outside: Path) -> None:
    _emptied(path)
    with socket.socket(socket.AF_UNIX) as listening:
        here = os.open(path.parent, os.O_RDONLY)  # a socket's path can have at most 107 bytes
        try:
            listening.bind(f"/proc/self/fd/{here}/{path.name}")
        finally:
            os.close(here)


def a_device(path: Path, draw: random.Random, outside: Path) -> None:
    _emptied(path)
    os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, draw.choice((3, 5, 7))))


def another_mode(path: Path, draw: random.Random, outside: Path) -> None:
    path.chmod(draw.choice((0, 0o200, 0o400, 0o666, 0o777, 0o1777)))


def another_owner(path: Path, draw: random.Random, outside: Path) -> None:
    os.chown(path, *draw.choice(((0, 0), (1, 1), (NOBODY, NOBODY))), follow_symlinks=False)


WAYS: tuple[Callable[[Path, random.Random, Path], None], ...] = (
    *[other_values] * 6, *[other_bytes] * 2, whole_other_bytes, *[a_link] * 3, another_name,
    a_pipe, a_directory, a_socket, a_device, another_mode, another_owner,
)  # fmt: skip
