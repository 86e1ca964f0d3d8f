"""The decisions of a launch before anything starts, and when its fork server refuses to fork."""

from __future__ import annotations

import ast
import threading

from mwtutor import find_runs, launcher
from mwtutor.devices.gpus import VISIBLE
from mwtutor.engines.local.engine import LocalEngine, Refused
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import RunState
from mwtutor.singletons import singleton
from mwtutor.system.child import ProcessContext
from tests.support.machines.nvml import machine
from tests.support.runs.specs import a_spec


class Engine(LocalEngine):
    """An engine that refuses to fork as often as requested, and starts nothing."""

    def __init__(self, refusals: int) -> None:
        super().__init__()
        self.refusals = refusals
        self.launched: list[bool] = []

    def plan(self, request: object, script: object, env: object) -> dict[str, object]:
        return {}

    def poll(self, run: RunSpec, state: RunState) -> bool:
        return True

    def _start(self, run: RunSpec, context: ProcessContext, claim: list[int]) -> None:
        self.launched.append(run.warm)
        if run.warm and self.refusals:
            self.refusals -= 1
            raise Refused("CUDA has been started in the fork server")


def launch(tmp_path, refusals: int) -> tuple[Engine, RunSpec]:
    engine = Engine(refusals)
    spec = a_spec(tmp_path)
    spec.save()
    launched = engine.launch(spec, ProcessContext.here(str(tmp_path)))
    assert RunSpec.load(tmp_path) == launched, "what is kept is what was started"
    return engine, launched


def test_a_new_fork_server_is_tried_and_then_plain_processes(tmp_path):
    engine, spec = launch(tmp_path, 1)
    assert engine.launched == [True, True]
    assert spec.warm
    engine, spec = launch(tmp_path, 2)
    assert engine.launched == [True, True, False]
    assert spec.why_cold == "CUDA has been started in the fork server"


def test_launches_at_once_under_different_names_take_different_gpus(engines, write, monkeypatch):
    write("main.py", "")
    both = threading.Barrier(2)

    def find():
        found = machine("two")
        both.wait(10)  # both know the devices before either has chosen
        return found

    monkeypatch.setattr(launcher.gpus, "find", find)
    monkeypatch.delenv(VISIBLE, raising=False)
    engines.add(Engine(0))
    for attempt in range(5):
        taken: list[str] = []

        def one(name: str, taken: list[str] = taken) -> None:
            run = launcher.launch("main.py", 1, name=name, gpus_per_worker=1)
            taken += [env[VISIBLE] for env in run.spec.task_env.values()]

        threads = [threading.Thread(target=one, args=(f"{name}{attempt}",)) for name in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sorted(taken) == sorted(device.id for device in machine("two").devices)
        for run in singleton(find_runs.Runs):
            launcher.Store.remove(run.directory)
        singleton(find_runs.Runs).clear()


def test_a_program_is_parsed_once_and_its_run_written_once(engines, write, monkeypatch):
    script = write("main.py", "import tensorflow as tf\n")
    parsed: list[object] = []
    written: list[RunSpec] = []
    parse, save = ast.parse, RunSpec.save
    monkeypatch.setattr(ast, "parse", lambda text, *rest: parsed.append(text) or parse(text, *rest))
    monkeypatch.setattr(RunSpec, "save", lambda spec: written.append(spec) or save(spec))
    engines.add(Engine(0))
    run = launcher.launch("main.py", threads=3, env={"A": "b"})
    assert written == [run.spec]
    assert RunSpec.load(run.directory) == run.spec
    assert parsed.count(script.read_bytes()) == 1
