"""What the tests share: their own directory, and the proof that nothing was left behind."""

from __future__ import annotations

import os
import signal
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest
from hypothesis import HealthCheck, settings

from mwtutor import singletons
from mwtutor.devices.gpus import VISIBLE
from mwtutor.interface import MAGIC, Interface
from mwtutor.run.engine import Engines
from tests.support import order

# A shell that runs the tests in the background ignores SIGINT, and nohup ignores SIGHUP, and every
# child process would inherit that; in a terminal, neither is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)

# A build server may say that its terminal cannot redraw, which concerns no terminal of a test.
os.environ["TERM"] = "xterm"

# The duration of an example depends more on the machine than on the code.
settings.register_profile(
    "mwtutor", deadline=None, suppress_health_check=[HealthCheck.too_slow], print_blob=True
)
settings.load_profile("mwtutor")

_VISIBLE = os.environ.get(VISIBLE)  # as it was before the tests


def pytest_configure(config: pytest.Config) -> None:
    """Register mwtutor's plugin if the package is only on the path and has no entry point."""
    from mwtutor import pytest_plugin

    if not config.pluginmanager.is_registered(pytest_plugin):
        config.pluginmanager.register(pytest_plugin)


#: Marks of tests that need more than what pip installs, or that repeat others one by one.
_EXTRA = {"browser", "course", "slurm", "ray", "jax", "lab", "nbgrader", "otter"}


@pytest.hookimpl(tryfirst=True)  # before pytest chooses by -m
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    order.sort(items)
    for item in items:
        if _EXTRA & {mark.name for mark in item.iter_markers()}:
            item.add_marker("extra")


def pytest_collection_finish() -> None:
    """Hide the GPUs, once it is decided which tests need one: see :func:`_gpus`."""
    os.environ[VISIBLE] = "-1"


@pytest.fixture(autouse=True)
def _gpus(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test computes on a GPU only if it needs one.

    Recorded numbers are those of a CPU, tests in parallel would take a GPU's memory from each
    other, and on a GPU, an index that an Embedding does not have raises nothing.
    """
    words = [word for mark in request.node.iter_markers("mw_needs") for word in mark.args]
    with pytest.MonkeyPatch.context() as patched:
        if any(word.startswith("gpu") for word in words):
            patched.delenv(VISIBLE) if _VISIBLE is None else patched.setenv(VISIBLE, _VISIBLE)
        yield


@pytest.fixture(autouse=True)
def _notebook() -> Iterator[None]:
    """Messages name magics, unless the test itself uses the command line."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Interface, "style", MAGIC)
        yield


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> object:
    """Schedule ``--dist loadfile`` as in :mod:`tests.support.order`, all else as xdist does."""
    return order.Scheduling(config, log) if config.option.dist == "loadfile" else None


def anew() -> singletons.Singletons:
    """A process that has launched nothing, with the existing engine and fork server."""
    from mwtutor.engines.local.forkserver_client import Warm

    engines = singletons.singleton(Engines)
    engines.get("local")  # imported now: a test that becomes another user may be unable to
    return singletons.Singletons(engines, singletons.singleton(Warm))


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty current directory, in a process that has launched nothing."""
    monkeypatch.setattr(singletons, "current", anew())
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("TF_CONFIG", raising=False)
    return tmp_path


@pytest.fixture
def engines(work: Path, monkeypatch: pytest.MonkeyPatch) -> Engines:
    """The engines of a process that has none yet, for a test to fill."""
    from mwtutor.engines.local.forkserver_client import Warm

    fresh = singletons.Singletons(singletons.singleton(Warm))
    monkeypatch.setattr(singletons, "current", fresh)
    return fresh.get(Engines)


@pytest.fixture
def write(work: Path) -> Callable[[str, str], Path]:
    """Write a file below the current directory, without indentation."""

    def write_file(name: str, text: str) -> Path:
        path = work / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
        return path

    return write_file


@pytest.fixture(scope="session")
def _engine() -> Iterator[None]:
    yield
    singletons.singleton(Engines).close()


@pytest.fixture
def launch(work: Path, _engine: None) -> Iterator[Callable[..., object]]:
    """``mwtutor.launch``; afterwards nothing that it started may be left."""
    import mwtutor

    started = []

    def launch_and_remember(*args: object, **kwargs: object) -> object:
        run = mwtutor.launch(*args, **kwargs)  # type: ignore[arg-type]
        started.append(run)
        return run

    yield launch_and_remember
    for run in started:
        run.stop()
        assert not remains(run.spec.id, run), f"left behind by {run}"


def remains(run_id: str, run: object = None) -> list[str]:
    """The processes and sockets of a run that still exist."""
    from mwtutor.run import control
    from mwtutor.system import processes

    born = {task.pid: task.born for task in run.tasks.values()} if run else {}
    left = []
    for process in psutil.process_iter():
        try:
            if process.status() == psutil.STATUS_ZOMBIE:  # dead, but its parent has not noticed
                continue
            ours = processes.started_at(process.pid) == born.get(process.pid, 0)
            if ours or process.environ().get("MWTUTOR_RUN") == run_id:
                left.append(str(process))
        except (psutil.Error, OSError):
            continue
    return left + [str(path) for path in control.paths(run.spec)] if run else left
