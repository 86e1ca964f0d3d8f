"""Everything that is read from ``.mwtutor``, spoiled at random: what comes of looking at it.

    python benchmarks/records.py [--seconds 600] [--seed 0] [--json FILE]

Each trial makes a directory with two runs, progress and locks, and spoils some of its files: other
bytes, other values in their JSON, events that no supervisor writes; a link, a pipe, a directory, a
socket or a device in their place; other modes and owners. Then all that reads them is called, as an
ordinary user if this one is root, in a process of its own: every command about runs, hints,
progress, workspaces, locks, and what TensorBoard is given. Wrong is a traceback, an action that
takes longer than two seconds, twice, and any change outside of the directory: the files in a tree
beside it, to which links and names lead, are compared by their hashes.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import importlib
import io
import json
import os
import pkgutil
import random
import select
import shutil
import signal
import socket
import stat
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1]))

from mwtutor import launcher
from mwtutor.cli import main as command
from mwtutor.cluster import TaskId
from mwtutor.exceptions import MwtutorError
from mwtutor.exercises import guidance, records, workspaces
from mwtutor.run.logs.log_index import ENTRY
from mwtutor.run.observations import moments
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.store import Store
from mwtutor.run.run import Run
from mwtutor.singletons import Singletons
from mwtutor.system.runtime_dir import runtime_dir

#: Seconds that an action may take, and that a trial may take before it is ended.
SLOW, TRIAL = 2.0, 60.0

NOBODY = 65534

#: In the place of a value of JSON. No number that could be the pid of somebody's process.
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
    """What is there: of each file its kind, mode, owner and hash; not the time of a look."""
    found = {}
    for path in [place, *sorted(place.rglob("*"))]:
        seen = path.lstat()
        data = path.read_bytes() if stat.S_ISREG(seen.st_mode) else b""
        digest = hashlib.sha256(data).hexdigest()
        found[str(path)] = (seen.st_mode, seen.st_uid, seen.st_gid, seen.st_mtime_ns, digest)
    return found


def make_runs(draw: random.Random) -> None:
    """Two runs in the present directory: one has ended, one has lost its supervisor."""
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
    """What a user has in the present directory, and then what somebody makes of it."""
    make_runs(draw)
    guidance.hint("03-1")
    workspaces.workspace("lesson-03")
    os.chdir("..")
    root = Path(".mwtutor")
    places = sorted([root, Path("lesson-03") / workspaces.MARK, *root.rglob("*")])
    places += [root / ".progress.lock", root / "main.lock"]  # as they were once
    # What many actions need, and what leads to everything else, is spoiled more often.
    weights = [9 if path.parent == root else 1 + 3 * ("json" in path.name) for path in places]
    for path in dict.fromkeys(draw.choices(places, weights, k=draw.randrange(1, 6))):
        # Something above it, or itself, is spoiled already.
        with contextlib.suppress(OSError, ValueError, RecursionError):
            draw.choice(WAYS)(path, draw, outside)


# -- ways to spoil a file -----------------------------------------------------------------------


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
    """In JSON, of each line of a log that is drawn."""
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
        here = os.open(path.parent, os.O_RDONLY)  # a socket's path may have 107 bytes
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


# -- all that reads it --------------------------------------------------------------------------


def _typed(*words: str) -> Callable[[], object]:
    return lambda: command(list(words))


def _locks() -> None:
    with Store().claim("main", 0.1):
        Store().new("made")


def _board() -> None:
    files = importlib.import_module("mwtutor.board.files")
    for number, run in enumerate(launcher.runs()):
        place = Path(tempfile.mkdtemp(prefix="tb-", dir=runtime_dir()))
        looked = None if run.is_foreign else Path(run.spec.request.cwd)
        for label in files.labels([run.spec]):
            made = files.RunFiles(run.spec, place / str(number) / label, looked)
            made.update()
            made.shows()


def _each_run() -> Iterator[tuple[str, Callable[[], object]]]:
    names: list[str] = []
    with contextlib.suppress(OSError):
        names = sorted(os.listdir(".mwtutor/runs"))
    for name in names:
        run = None
        with contextlib.suppress(MwtutorError):
            run = Run.open(Path(".mwtutor/runs", name).absolute())
        if run is not None:
            yield "timeline", lambda run=run: (run.timeline(), repr(run.timeline()))
            yield "history", lambda run=run: run.history("loss")
            yield "facts", lambda run=run: (run.collectives, run.starts, run.traffic(), run.usage())
            yield "wait", lambda run=run: run.wait(0.05)
            yield "panel", lambda run=run: _panel(run)


def _panel(run: Run) -> None:
    shown = importlib.import_module("mwtutor.display.panel.panel")
    status = importlib.import_module("mwtutor.display.panel.status")
    text = importlib.import_module("mwtutor.display.panel.text")
    text.render(status.report(run.spec, run.state))
    for name in ("render", "panel"):
        if callable(make := getattr(shown, name, None)):
            with contextlib.suppress(TypeError):
                make(run)


def actions() -> Iterator[tuple[str, Callable[[], object]]]:
    for words in (
        "runs", "status main", "status other", "logs --name main", "logs -n 3 --name other",
        "config worker:0 --name main", "plot loss --name main", "timeline --name main",
        "stacks worker:0 --name other", "kill worker:0 --name other", "status",
    ):  # fmt: skip
        yield words, _typed(*words.split())
    yield from _each_run()
    yield "TensorBoard", _board
    for words in ("stop other", "stop --all", "runs"):
        yield words, _typed(*words.split())
    yield "progress", guidance.progress
    yield "records", records.records
    yield "hint", lambda: guidance.hint("03-1")
    yield "solution", lambda: guidance.solution("03-1")
    yield "progress afterwards", guidance.progress
    yield "locks", _locks
    yield "prune", lambda: launcher._prune(Store())
    yield "runs --clean", _typed("runs", "--clean")
    yield "workspace", lambda: workspaces.workspace("lesson-03")


def look(say: Callable[[str], None]) -> None:
    """Do all of it; say what is wrong."""
    here = Path.cwd()
    for name, action in actions():
        os.chdir(here)
        words = io.StringIO()
        begun = time.monotonic()
        say(f"now {name}")
        try:
            with contextlib.redirect_stdout(words), contextlib.redirect_stderr(words):
                action()
        except MwtutorError:
            pass
        except BaseException:
            say(f"wrong {name}: {traceback.format_exc(limit=-6)}")
        if "Traceback" in words.getvalue():
            say(f"wrong {name}: {words.getvalue()[-2000:]}")
        if (took := time.monotonic() - begun) > SLOW:
            say(f"slow {name}: it took {took:.1f} s")


# -- trials -------------------------------------------------------------------------------------


def preload() -> None:
    """Import all that a trial needs: an ordinary user may not be able to read it."""
    import mwtutor

    for module in pkgutil.walk_packages(mwtutor.__path__, "mwtutor."):
        if not module.name.startswith(("mwtutor.bridges", "mwtutor.magics", "mwtutor.__main__")):
            with contextlib.suppress(ImportError):
                importlib.import_module(module.name)
    for name in ("tensorboard.compat.proto.event_pb2", "tensorboard.compat.proto.summary_pb2",
                 "tensorboard.summary.writer.record_writer", "matplotlib.figure",
                 "matplotlib.backends.backend_agg", "matplotlib.backends.backend_svg"):  # fmt: skip
        sys.modules.setdefault("tensorboard.compat.notf", type(sys)("notf"))
        importlib.import_module(name)


def _child(seed: int, place: Path, say: Callable[[str], None]) -> None:
    mwtutor_singletons = importlib.import_module("mwtutor.singletons")
    mwtutor_singletons.current = Singletons()
    os.environ.pop("XDG_RUNTIME_DIR", None)
    (place / "tmp").mkdir(mode=0o700)
    os.environ["TMPDIR"] = tempfile.tempdir = str(place / "tmp")
    (place / "home" / "work").mkdir(parents=True)
    outside = place / "outside"
    make_outside(outside)
    os.chdir(place / "home" / "work")
    make_place(random.Random(seed), outside)
    before = fingerprint(outside)
    mwtutor_singletons.current = Singletons()
    look(say)
    changed = {path for path, seen in before.items() ^ fingerprint(outside).items()}
    if changed:
        say(f"wrong outside: {sorted(changed)}")
    ours = {".mwtutor", ".mwtutor-moved", "lesson-03", "main-loss.png"}
    beside = set(os.listdir(place / "home" / "work")) - ours
    if beside or os.listdir(place / "home") != ["work"]:
        say(f"wrong beside: {sorted(beside)}")


def _run_child(seed: int, place: Path, end: int) -> None:
    """The rest of a forked process's life."""
    try:
        os.setsid()
        if os.getuid() == 0:
            os.setgroups([])
            os.setgid(NOBODY)
            os.setuid(NOBODY)
        _child(seed, place, lambda words: _say(end, words))
        _say(end, "done")
    except BaseException:
        _say(end, f"wrong trial: {traceback.format_exc(limit=-6)}")
    finally:
        os._exit(0)


def _say(end: int, words: str) -> None:
    os.write(end, words.encode(errors="backslashreplace") + b"\0")


def trial(seed: int) -> list[str]:
    """What is wrong, and what was slow, of the trial with this number."""
    place = Path(tempfile.mkdtemp(prefix="mwtutor-records-", dir="/tmp"))
    if os.getuid() == 0:
        os.chown(place, NOBODY, NOBODY)
    heard, end = os.pipe()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of a fork beside idle threads
            pid = os.fork()
        if pid == 0:
            os.close(heard)
            _run_child(seed, place, end)
        os.close(end)
        said = _listen(heard, time.monotonic() + TRIAL)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    finally:
        os.close(heard)
        shutil.rmtree(place, ignore_errors=True)
    wrong = [words for words in said if words.startswith(("wrong", "slow"))]
    if said[-1:] != ["done"]:
        wrong.append(f"wrong end: it hung or died after {said[-1:]}")
    return wrong


def _listen(heard: int, deadline: float) -> list[str]:
    data = b""
    while select.select([heard], [], [], max(0.0, deadline - time.monotonic()))[0]:
        if not (part := os.read(heard, 65536)):
            break
        data += part
    return data.decode(errors="replace").split("\0")[:-1]


def judged(seed: int) -> list[str]:
    """What is wrong of a trial; what was slow only if it is so again."""
    found = trial(seed)
    wrong = [words for words in found if words.startswith("wrong")]
    slow = {words.split(":")[0] for words in found if words.startswith("slow")}
    if slow:
        wrong += [words for words in trial(seed) if words.split(":")[0] in slow]
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=0, help="of the first trial; the next adds 1")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    preload()
    begun = time.monotonic()
    wrong: dict[int, list[str]] = {}
    seed = options.seed
    while time.monotonic() < begun + options.seconds:
        if found := judged(seed):
            wrong[seed] = found
            print(f"seed {seed}:", *found, sep="\n  ", flush=True)
        seed += 1
    figures = {"trials": seed - options.seed, "seconds": round(time.monotonic() - begun),
               "wrong": {str(number): words for number, words in wrong.items()}}  # fmt: skip
    print(f"{figures['trials']} trials in {figures['seconds']} s, {len(wrong)} wrong")
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1) + "\n")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
