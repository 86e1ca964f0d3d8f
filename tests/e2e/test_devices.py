"""From the driver's answer to a worker's environment and, with GPUs, to the computed results."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from mwtutor.cluster import TaskId
from mwtutor.devices.gpus import VISIBLE, find
from mwtutor.engines.local import forkserver_client
from mwtutor.run.run import Run

pytestmark = pytest.mark.e2e

W0, W1 = TaskId("worker", 0), TaskId("worker", 1)

#: Replaces NVIDIA's management library: a machine with two GPUs that cannot be divided.
TWO_GPUS = """
    #include <stdio.h>
    #include <string.h>
    typedef struct { unsigned long long total, free, used; } memory;
    int nvmlInitWithFlags(unsigned f) { return 0; }
    int nvmlInit_v2(void) { return 0; }
    int nvmlShutdown(void) { return 0; }
    int nvmlSystemGetDriverVersion(char *to, unsigned n) { strcpy(to, "550.90.07"); return 0; }
    int nvmlSystemGetCudaDriverVersion_v2(int *to) { *to = 12040; return 0; }
    int nvmlDeviceGetCount_v2(unsigned *to) { *to = 2; return 0; }
    int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **to) { *to = (void *)(i + 1L); return 0; }
    int nvmlDeviceGetUUID(void *gpu, char *to, unsigned n) {
      sprintf(to, "GPU-%ld", (long)gpu - 1); return 0; }
    int nvmlDeviceGetName(void *gpu, char *to, unsigned n) { strcpy(to, "Stand-in"); return 0; }
    int nvmlDeviceGetMemoryInfo(void *gpu, memory *to) { to->total = 1L << 34; return 0; }
    int nvmlDeviceGetMigMode(void *gpu, unsigned *now, unsigned *then) { return 3; }
"""

SHOW = f"""
    import os
    print("sees", os.environ.get("{VISIBLE}"), os.environ.get("TF_FORCE_GPU_ALLOW_GROWTH"),
          os.environ.get("MWTUTOR_COMM"), os.environ.get("NCCL_DEBUG"))
"""


CLI = "import sys; from mwtutor.cli import main; sys.exit(main())"


@pytest.fixture
def two_gpus(tmp_path: Path) -> dict[str, str]:
    """The environment of a process that finds two GPUs."""
    if not shutil.which("cc"):
        pytest.skip("needs a C compiler")
    place = tmp_path / "driver"
    place.mkdir()
    (place / "nvml.c").write_text(textwrap.dedent(TWO_GPUS))
    library = place / "libnvidia-ml.so.1"
    subprocess.run(["cc", "-shared", "-fPIC", "-o", library, place / "nvml.c"], check=True)
    env = {name: value for name, value in os.environ.items() if name != VISIBLE}
    return {**env, "LD_LIBRARY_PATH": str(place)}


def launched(env: dict[str, str], words: str) -> tuple[str, dict[str, str]]:
    """The output of a launch in a terminal, and the devices that each worker saw."""
    done = subprocess.run(
        [sys.executable, "-c", CLI, "launch", *words.split(), "--cold"],
        env=env, capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    logs = sorted(Path(".mwtutor/runs").glob("*-main/logs/*.log")) if not done.returncode else []
    seen = {log.stem: log.read_text().removeprefix("sees ").strip() for log in logs}
    for run in Path(".mwtutor/runs").glob("*-main"):
        shutil.rmtree(run)
    return done.stdout + done.stderr, seen


def test_the_drivers_answer_becomes_the_workers_environment(two_gpus, write):
    write("main.py", SHOW)
    shown, seen = launched(two_gpus, "2 main.py --evaluator --comm nccl")
    assert "1 GPU each" in shown
    assert seen == {
        "worker-0": "GPU-0 None nccl INFO",
        "worker-1": "GPU-1 None nccl INFO",
        "evaluator-0": "-1 None None None",
    }
    shown, seen = launched(two_gpus, "3 main.py --share-gpus")
    assert "sharing 2 GPUs" in shown
    assert [seen[f"worker-{i}"] for i in range(3)] == [f"GPU-{i} true ring INFO" for i in (0, 1, 0)]
    shown, seen = launched({**two_gpus, VISIBLE: "1,0"}, "2 main.py")
    assert [seen[f"worker-{i}"] for i in range(2)] == [f"{i} None None INFO" for i in (1, 0)]


@pytest.mark.full
def test_the_gpu_of_a_run_that_goes_on_is_left_to_it(two_gpus, write):
    write("first.py", "import time, os\nwhile not os.path.exists('end'): time.sleep(0.02)")
    write("main.py", SHOW)
    words = ["launch", "1", "first.py", "--gpus-per-worker", "1", "--cold"]
    first = subprocess.Popen([sys.executable, "-c", CLI, *words], env=two_gpus)
    try:
        while not list(Path(".mwtutor/runs").glob("*/logs/*.log")):
            assert first.poll() is None
            time.sleep(0.02)
        shown, seen = launched(two_gpus, "1 main.py")
        assert "1 GPU, not counting those in use by the run first" in shown
        assert seen["worker-0"].startswith("GPU-1 None")
        shown, seen = launched(two_gpus, "2 main.py --gpus-per-worker 1")
        assert seen == {}
        assert "1 GPU is available, not counting those in use by the run first" in shown
        shown, seen = launched(two_gpus, "2 main.py --share-gpus")
        assert "sharing 2 GPUs with the run first, memory grows as needed" in shown
        assert [seen[f"worker-{i}"][:10] for i in (0, 1)] == ["GPU-1 true", "GPU-0 true"]
    finally:
        Path("end").touch()
        assert first.wait(30) == 0


def test_what_cannot_work_is_refused_before_anything_starts(two_gpus, write):
    write("main.py", SHOW)
    for words in ("3 main.py --gpus-per-worker 1", "3 main.py --comm nccl --share-gpus"):
        shown, seen = launched(two_gpus, words)
        assert seen == {}
        assert shown.startswith("mwtutor: ")
    assert not Path(".mwtutor").exists()


LESSON = f"""
import os
from mwtutor import exercises
for gpus in False, True:
    exercises.workspace("lesson-01", gpus=gpus)
    print(os.environ.get("{VISIBLE}"), os.environ.get("TF_CPP_MIN_LOG_LEVEL"))
"""


@pytest.mark.parametrize("before", [None, "1"])
def test_a_lesson_hides_gpus_and_shows_tensorflows_messages(two_gpus, work, before):
    env = {**two_gpus, "TF_CPP_MIN_LOG_LEVEL": "1", **({VISIBLE: before} if before else {})}
    done = subprocess.run([sys.executable, "-c", LESSON], env=env, capture_output=True, text=True)
    assert done.stdout.splitlines() == ["-1 None", f"{before} None"], done.stderr


NCCL_MEETS = """
    import ctypes, glob, nvidia.nccl, socket
    library, = glob.glob(nvidia.nccl.__path__[0] + "/lib/libnccl.so.2")
    where = ctypes.create_string_buffer(128)
    assert ctypes.CDLL(library).ncclGetUniqueId(where) == 0
    print("sees", socket.inet_ntoa(where.raw[12:16]))
"""


@pytest.mark.full
@pytest.mark.mw_needs("needs:nvidia-nccl-cu12")  # a package to install; no GPU is needed
@pytest.mark.parametrize("network", ["private", "host"])
def test_nccl_meets_its_peers_where_nobody_else_can_come(two_gpus, write, monkeypatch, network):
    write("100%h/main.py", NCCL_MEETS)
    monkeypatch.chdir("100%h")
    env = {**two_gpus, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    shown, seen = launched(env, f"2 main.py --network {network}")
    assert seen == {"worker-0": "127.0.0.1", "worker-1": "127.0.0.1"}, shown


# -- on hardware ------------------------------------------------------------------------------

REDUCE = """
    import tensorflow as tf
    strategy = tf.distribute.MultiWorkerMirroredStrategy()

    @tf.function
    def step():
        def on_each_replica():
            return tf.distribute.get_replica_context().all_reduce("sum", tf.constant(1.0))
        return strategy.run(on_each_replica)

    print("gpus", len(tf.config.list_physical_devices("GPU")))
    print("sum", float(strategy.experimental_local_results(step())[0]))
"""


def log(run: Run, task: TaskId) -> str:
    return run.spec.log(task).read_text()


@pytest.mark.mw_needs("gpu")
def test_one_worker_computes_on_its_gpu_and_the_fork_server_stays_free(launch, write):
    write("main.py", REDUCE)
    for _ in range(2):  # the first test's open files must not affect the second
        run = launch("main.py", 1, gpus_per_worker=1)
        run.wait()
        assert run.spec.warm, run.spec.why_cold
        assert "gpus 1" in log(run, W0)
    files = [
        os.readlink(file) for file in Path(f"/proc/{forkserver_client.server().pid}/fd").iterdir()
    ]
    assert not [file for file in files if file.startswith("/dev/nvidia")]


@pytest.mark.mw_needs("gpu")
def test_workers_share_a_gpu_by_ring(launch, write):
    write("main.py", REDUCE)
    one = find().devices[0].id
    run = launch("main.py", 2, share_gpus=True, env={VISIBLE: one})
    run.wait()
    assert run.spec.devices.startswith("sharing 1 GPU")
    for task in (W0, W1):
        assert "gpus 1" in log(run, task)
        assert "sum 2.0" in log(run, task)
    assert (run.collectives.ran, run.collectives.devices) == ("RING", ("GPU",))


@pytest.mark.mw_needs("gpu2")
@pytest.mark.parametrize("comm", ["nccl", "ring", "auto"])
def test_two_gpus_are_connected_as_asked(launch, write, comm):
    write("main.py", REDUCE)
    run = launch("main.py", 2, comm=comm, gpus_per_worker=1)
    run.wait()
    assert "sum 2.0" in log(run, W0)
    assert run.collectives.devices == ("GPU",)
    assert run.collectives.ran == {"auto": run.collectives.ran}.get(comm, comm.upper())
    assert (run.collectives.ran == "NCCL") == (run.collectives.nccl_ranks == 2)
