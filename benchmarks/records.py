"""Corrupt the files in ``.mwtutor`` at random, and call everything that reads them.

    python benchmarks/records.py [--seconds 600] [--seed 0] [--json FILE]

Each trial creates a directory with two runs, progress and locks, and corrupts some of its files:
other bytes, other values in their JSON, events that no supervisor writes; a link, a pipe, a
directory, a socket or a device in their place; other modes and owners. Then it calls all their
readers in a separate process, as an ordinary user if this one is root: every command about runs,
hints, progress, workspaces, locks, and the files for TensorBoard. A fault is a traceback, an action
that takes longer than two seconds twice, or any change outside the directory. To detect such a
change, the benchmark compares the hashes of the files next to the directory, to which links and
names lead.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib
import io
import json
import os
import pkgutil
import random
import select
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.spoiling import NOBODY, fingerprint, make_outside, make_place
from mwtutor import find_runs, launcher
from mwtutor.cli import main as command
from mwtutor.exceptions import MwtutorError
from mwtutor.exercises import guidance, workspaces
from mwtutor.exercises.predictions import PREDICTIONS
from mwtutor.exercises.records import EXERCISES
from mwtutor.run.record.store import Store
from mwtutor.run.run import Run
from mwtutor.singletons import Singletons
from mwtutor.system.runtime_dir import runtime_dir

sys.path.insert(0, str(Path(__file__).parents[1]))

#: Seconds that an action may take, and seconds after which a trial is stopped.
SLOW, TRIAL = 2.0, 60.0


# -- the readers --------------------------------------------------------------------------------


def _typed(*words: str) -> Callable[[], object]:
    return lambda: command(list(words))


def _locks() -> None:
    with Store().claim("main", 0.1):
        Store().new("made")


def _board() -> None:
    files = importlib.import_module("mwtutor.board.files")
    for number, run in enumerate(find_runs.runs()):
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
    made = importlib.import_module("mwtutor.display.panel.panel").Panel.from_run(run)
    repr(made)
    made._repr_html_()


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
    yield "records", EXERCISES.all
    yield "predictions", PREDICTIONS.all
    yield "hint", lambda: guidance.hint("03-1")
    yield "solution", lambda: guidance.solution("03-1")
    yield "progress afterwards", guidance.progress
    yield "locks", _locks
    yield "prune", lambda: launcher._prune(Store())
    yield "runs --clean", _typed("runs", "--clean")
    yield "workspace", lambda: workspaces.workspace("lesson-03")


def look(say: Callable[[str], None]) -> None:
    """Execute all actions, and report what is wrong."""
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
    """Import all modules that a trial needs: an ordinary user may not be able to read them."""
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
    """Execute the trial in a forked process, and exit."""
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
    """The faults, and the slow actions, in the trial with this number."""
    place = Path(tempfile.mkdtemp(prefix="mwtutor-records-", dir="/tmp"))
    if os.getuid() == 0:
        os.chown(place, NOBODY, NOBODY)
    heard, end = os.pipe()
    try:
        with warnings.catch_warnings():
            # Python warns about a fork, although the other threads are idle.
            warnings.simplefilter("ignore", DeprecationWarning)
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
    """The faults in a trial; a slow action counts only if it is slow again."""
    found = trial(seed)
    wrong = [words for words in found if words.startswith("wrong")]
    slow = {words.split(":")[0] for words in found if words.startswith("slow")}
    if slow:
        wrong += [words for words in trial(seed) if words.split(":")[0] in slow]
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--seed", type=int, default=0, help="of the first trial; each trial adds 1")
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
