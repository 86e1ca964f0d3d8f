"""Which collectives are requested, which can work, and which actually ran."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from mwtutor.cluster import ClusterSize, ClusterSpec, TaskId
from mwtutor.devices.placement import Placement, Wish, place
from mwtutor.exceptions import BadInput
from mwtutor.run.observations import collectives
from mwtutor.run.record.events import RunStarted
from mwtutor.run.record.state import RunState, fold
from mwtutor.run.request.options import LaunchRequest
from mwtutor.sessions.session import Session
from tests.support.machines.nvml import machine
from tests.support.runs.specs import a_spec

W0, W1 = TaskId("worker", 0), TaskId("worker", 1)


def placed(name: str, workers: int = 2, **wish: object) -> Placement:
    return place(Wish(**wish), ClusterSize(workers), machine(name), None)


# -- before the start -------------------------------------------------------------------------


def test_nccl_without_a_gpu_is_refused():
    with pytest.raises(BadInput, match="would be on CPU") as raised:
        collectives.check("nccl", placed("none"))
    assert "--comm ring" in raised.value.remedy
    with pytest.raises(BadInput, match="1 GPU for 2 workers"):
        collectives.check("nccl", placed("one"))


@pytest.mark.parametrize("on", [placed("one", share=True), placed("two", 3, share=True)])
def test_nccl_with_two_workers_on_one_gpu_is_refused(on):
    with pytest.raises(BadInput, match="two workers on one GPU") as raised:
        collectives.check("nccl", on)
    assert "no more workers than there are GPUs" in raised.value.remedy


def test_nccl_with_two_parts_of_one_gpu_is_refused():
    with pytest.raises(BadInput, match="two workers on one GPU"):
        collectives.check("nccl", placed("mig"))


def test_nccl_with_cpu_and_gpu_workers_is_refused():
    mixed = Placement({W0: machine("one").devices, W1: ()}, decided=True)
    with pytest.raises(BadInput, match="worker:1 would have none") as raised:
        collectives.check("nccl", mixed)
    assert "--comm ring" in raised.value.remedy


def test_all_else_may_start():
    collectives.check("nccl", placed("two"))
    for name in ("none", "one", "mig"):
        collectives.check("ring", placed(name, share=True))
        collectives.check("auto", placed(name, share=True))


def told(choice: str, on: Placement, task: TaskId = W0, **given: str) -> dict[str, str]:
    return collectives.env(choice, on, task, Path("logs/worker-0.log"), given)


def test_on_machines_nccl_meets_its_peers_over_their_links():
    on = placed("two")
    told = collectives.env("nccl", on, W0, Path("w.log"), {}, interface="eth0")
    assert told["NCCL_SOCKET_IFNAME"] == "eth0"


def test_a_task_is_told_the_choice_and_nccl_where_to_write():
    assert told("nccl", placed("two")) == {
        "MWTUTOR_COMM": "nccl",
        "NCCL_DEBUG": "INFO",
        "NCCL_DEBUG_FILE": "logs/worker-0.nccl",
        "NCCL_SOCKET_IFNAME": "lo",
    }
    assert told("ring", placed("none")) == {"MWTUTOR_COMM": "ring"}
    assert told("ring", placed("two"), NCCL_DEBUG="WARN", NCCL_SOCKET_IFNAME="eth0") == {
        "MWTUTOR_COMM": "ring"
    }
    assert told("ring", placed("two"), TaskId("ps", 0)) == {}
    assert told("auto", placed("none")) == {}, "as under python main.py"


def test_workers_on_one_gpu_are_not_left_to_chance():
    assert told("auto", placed("one", share=True))["MWTUTOR_COMM"] == "ring"
    assert "MWTUTOR_COMM" not in told("auto", placed("two"))


# -- from what the run shows ------------------------------------------------------------------

START = RunStarted(ClusterSpec(worker=("h:1", "h:2")), 9, t=1.0).record()

# NCCL's log, as 2.21 writes it: one line for each communicator.
NCCL = (
    "host:71:95 [0] NCCL INFO Using network Socket\n"
    "host:71:95 [0] NCCL INFO ncclCommInitRank comm 0x7f01 rank 0 nranks 2 cudaDev 0 nvmlDev 0 "
    "busId 1000 commId 0x5d77 - Init START\n"
)
COMPLETE = NCCL + NCCL.splitlines()[1].replace("START", "COMPLETE") + "\n"


class Run:
    """A run, from its own log and NCCL's."""

    def __init__(self, path: Path, comm: str = "auto", name: str = "none", **wish: object) -> None:
        on = placed(name, **wish)
        self.spec = a_spec(path, comm=comm, devices=on.words)
        for task in (W0, W1):
            log = self.spec.log(task)
            log.parent.mkdir(exist_ok=True)
            self.spec.task_env[str(task)] = {
                **on.env(task, {}),
                **collectives.env(comm, on, task, log, {}),
            }
        self.events: list[dict] = [START]

    def strategy(self, wanted: str, by: str) -> Run:
        self.events += [
            {"event": "strategy", "task": f"worker:{i}", "wanted": wanted, "by": by} for i in (0, 1)
        ]
        return self

    def built(self, hint: str, *devices: str, op: str = "all_reduce_v2") -> Run:
        self.events += [
            {"event": "collective", "task": f"worker:{i}", "op": op, "hint": hint, "device": device}
            for i, device in enumerate(devices)
        ]
        return self

    def nccl(self, text: str) -> Run:
        collectives.nccl_log(self.spec.log(W0)).write_text(text)
        return self

    def words(self, ended: bool = False) -> str:
        end = {"event": "run_ended", "t": 5.0, "status": "succeeded", "reason": ""}
        return collectives.words(self.spec, fold(RunState(), self.events + [end] * ended))


def test_ring_is_said_with_who_asked_for_it(tmp_path):
    cpu = ("CPU", "CPU")
    assert Run(tmp_path).words() == ""
    run = Run(tmp_path).strategy("AUTO", "TensorFlow")
    assert run.words() == "", "nothing was reduced yet, and nothing asked for"
    assert run.built("auto", *cpu).words() == "RING (TensorFlow's choice)"
    run = Run(tmp_path, "ring").strategy("RING", "--comm")
    assert run.words() == "RING requested (--comm ring)"
    assert run.built("ring", *cpu).words() == "RING (--comm ring)"
    run = Run(tmp_path, "ring").strategy("RING", "the program").built("ring", *cpu)
    assert run.words() == "RING (the program asks for RING, --comm ring is ignored)"
    shared = Run(tmp_path, name="one", share=True).strategy("RING", "--comm")
    assert shared.built("ring", "GPU", "GPU").words() == "RING (because workers share a GPU)"


def test_nccl_is_claimed_only_when_nccl_says_so(tmp_path):
    run = Run(tmp_path, "nccl", "two").strategy("NCCL", "--comm").built("nccl", "GPU", "GPU")
    unconfirmed = "NCCL not confirmed: its log shows no connection (--comm nccl)"
    assert run.words() == unconfirmed
    assert run.nccl(NCCL).words() == unconfirmed, "it has begun, and not finished"
    assert run.nccl(COMPLETE.replace("nranks 2", "nranks 4")).words() == unconfirmed
    assert run.nccl(COMPLETE).words() == "NCCL between 2 GPUs (--comm nccl)"


def test_nccl_on_a_cpu_was_ring_whatever_was_asked(tmp_path):
    run = Run(tmp_path).strategy("NCCL", "the program").built("nccl", "CPU", "CPU")
    assert run.words().startswith("RING, not NCCL (the program asks for NCCL)")


def test_what_tensorflow_chose_on_gpus_is_read_from_nccl(tmp_path):
    run = Run(tmp_path, "auto", "two").strategy("AUTO", "TensorFlow").built("auto", "GPU", "GPU")
    assert run.words() == "RING (TensorFlow's choice)"
    assert run.nccl(COMPLETE).words() == "NCCL between 2 GPUs (TensorFlow's choice)"
    run.nccl("").spec.task_env.clear()  # the program's owner sends NCCL's log elsewhere
    assert run.words() == "", "no evidence, no claim"


def test_a_program_that_asks_for_nccl_on_a_shared_gpu_is_warned_of(tmp_path):
    run = Run(tmp_path, name="one", share=True).strategy("NCCL", "the program")
    assert run.words().startswith("NCCL cannot connect workers that share a GPU")
    run.built("nccl", "GPU", "GPU")
    assert run.words().startswith("NCCL cannot connect workers that share a GPU")


def test_small_reductions_on_the_cpu_beside_those_on_gpus_do_not_count(tmp_path):
    run = Run(tmp_path, "nccl", "two").strategy("NCCL", "--comm").nccl(COMPLETE)
    run.built("ring", "CPU", "CPU").built("nccl", "GPU", "GPU")
    assert run.words() == "NCCL between 2 GPUs (--comm nccl)"


def test_cpu_and_gpu_workers_are_warned_of(tmp_path):
    run = Run(tmp_path).strategy("AUTO", "TensorFlow").built("auto", "CPU", "GPU")
    assert run.words().startswith("collectives mix CPU and GPU, which is slow")


def test_a_choice_that_nobody_took_up_is_said_at_the_end(tmp_path):
    run = Run(tmp_path, "ring")
    assert run.words() == ""
    assert "--comm ring was not applied" in run.words(ended=True)
    assert Run(tmp_path).words(ended=True) == ""


# -- for real ---------------------------------------------------------------------------------

PROGRAM = """
    import tensorflow as tf

    E = tf.distribute.experimental
    strategy = tf.{strategy}

    @tf.function
    def step():
        return strategy.run(
            lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(1.0)))

    print("sum", float(strategy.experimental_local_results(step())[0]))
"""
VERSION_1 = "distribute.experimental.MultiWorkerMirroredStrategy"
OWN = (
    "distribute.MultiWorkerMirroredStrategy(communication_options=E.CommunicationOptions("
    "implementation=E.CommunicationImplementation.NCCL))"
)


@pytest.mark.e2e
@pytest.mark.parametrize(
    ("strategy", "comm", "words"),
    [
        ("distribute.MultiWorkerMirroredStrategy()", "auto", "RING (TensorFlow's choice)"),
        ("distribute.MultiWorkerMirroredStrategy()", "ring", "RING (--comm ring)"),
        ("distribute.experimental.MultiWorkerMirroredStrategy()", "ring", "RING (--comm ring)"),
        (f"compat.v1.{VERSION_1}()", "ring", "RING (--comm ring)"),
        (
            f"compat.v1.{VERSION_1}(E.CommunicationImplementation.NCCL)",
            "ring",
            "RING, not NCCL (the program asks for NCCL, --comm ring is ignored)",
        ),
        (OWN, "ring", "RING, not NCCL (the program asks for NCCL, --comm ring is ignored)"),
    ],
)
def test_a_strategy_gets_the_choice_unless_it_has_its_own(launch, write, strategy, comm, words):
    write("main.py", PROGRAM.format(strategy=strategy))
    run = launch("main.py", 2, comm=comm, gpus_per_worker=0)
    run.wait()
    assert "sum 2.0" in run.spec.log(W0).read_text()
    assert collectives.words(run.spec, run.state).startswith(words)
    assert collectives.read(run.spec, run.state).ran == "RING"


@pytest.mark.e2e
@pytest.mark.usefixtures("work", "_engine")
def test_a_session_makes_its_strategy_with_the_choice():
    request = LaunchRequest("", 1, comm="ring", gpus_per_worker=0)
    session = Session.start(request)
    try:
        options = "strategy.extended._communication_options"
        session.execute(f"implementation = {options}.implementation.name")
        assert session.pull(["implementation"], W0) == {"implementation": "RING"}
        assert session.launch_words(Path("main.py")) == "1 main.py --gpus-per-worker 0 --comm ring"
    finally:
        session.stop()


AGREEMENT = """
import os, sys
from mwtutor import metrics
from mwtutor.worker.patches import communication
communication.install()
metrics.send = lambda event, **told: print(event, told.get("hint"), told.get("device"))
import tensorflow as tf
from tensorflow.python.distribute import collective_all_reduce_strategy as c

cpus = tf.config.list_physical_devices("CPU")
tf.config.set_logical_device_configuration(cpus[0], [tf.config.LogicalDeviceConfiguration()] * 2)
E = tf.distribute.experimental
options = E.CommunicationOptions(implementation=E.CommunicationImplementation[sys.argv[1]])
strategy = c.CollectiveAllReduceStrategy._from_local_devices(
    ("/device:CPU:0", "/device:CPU:1"), communication_options=options)


@tf.function
def step():
    return strategy.run(
        lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(1.0)))


reduced = step()
print("sum", float(strategy.experimental_local_results(reduced)[0]))
"""


@pytest.mark.full
@pytest.mark.tensorflow
def test_our_reading_agrees_with_what_tensorflow_says_it_chose():
    """TensorFlow can be made to log its choice: RING on a CPU, even if NCCL is requested."""
    env = {**os.environ, "TF_CPP_VMODULE": "collective_param_resolver_local=1"}
    done = subprocess.run(
        [sys.executable, "-c", AGREEMENT, "NCCL"], env=env, capture_output=True, text=True
    )
    assert "sum 2.0" in done.stdout, done.stderr[-2000:]
    assert "collective nccl CPU" in done.stdout
    assert set(re.findall(r"AssignCollectiveType (\w+)", done.stderr)) == {"RingReduce"}
