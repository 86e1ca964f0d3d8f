"""Check the requirements of multi-worker training: a finding for each, with a remedy."""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from typing import Any

from mwtutor.bridges.keras3 import versions as keras3
from mwtutor.cluster import ClusterSize
from mwtutor.devices import gpus
from mwtutor.devices.placement import Wish, place
from mwtutor.devices.requirements import horovod_python, installed, what_machines_lack
from mwtutor.diagnosis.findings import Diagnosis, Finding
from mwtutor.engines.local import forkserver_client
from mwtutor.engines.local.interpreter import check_interpreter
from mwtutor.exceptions import BadInput, MwtutorError
from mwtutor.interface import as_typed_here
from mwtutor.launcher import devices_in_use
from mwtutor.run.request.option_kinds import row
from mwtutor.run.request.options import LaunchRequest
from mwtutor.system import child, classroom, processes
from mwtutor.system.linux import LINUX
from mwtutor.system.processors_and_memory import Limits, gib, limits

#: Seconds that a scheduler may take to answer.
_ANSWER = 20.0

#: Seconds that importing and querying TensorFlow may take.
PATIENCE = 180.0

_GIB = 2**30

#: Bytes of memory that a worker of the tutorials takes, and of shared memory that a collective's
#: buffers may take.
_WORKER_MEMORY, _SHARED_MEMORY = _GIB // 2, _GIB // 4


def doctor(workers: int = 2) -> Diagnosis:
    """Check everything that training on this machine depends on.

    A separate process queries TensorFlow, which takes as long as importing it.

    Args:
        workers: how many workers to assume when showing which GPU each would get.

    Raises:
        BadInput: ``workers`` is not a valid number of workers.
    """
    workers = row(LaunchRequest, "workers").check(workers)
    size = ClusterSize(workers)
    survey = gpus.find()
    found = limits()
    return Diagnosis(
        (
            *_software(ask_tensorflow(), survey),
            *_hardware(survey),
            *_limits(workers, found),
            *_hub(found, os.environ),
            *_classroom(),
            _shared_memory(),
            _fork_server(),
            _network(),
            _machines(),
            _horovod(),
            _placement(size, survey),
            *_slurm(),
            *_ray(),
        )
    )


def ask_tensorflow(python: str = sys.executable) -> Mapping[str, Any]:
    """The answer of :mod:`mwtutor.worker.probe`; ``error`` if TensorFlow cannot be queried."""
    try:
        done = subprocess.run(
            [python, str(child.ENTRY), "probe", "1"],
            capture_output=True,
            timeout=PATIENCE,
            stdin=subprocess.DEVNULL,
        )
        answer: Mapping[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return answer
    except subprocess.TimeoutExpired:
        return {"error": f"no answer within {PATIENCE:.0f} s"}
    except (OSError, ValueError, IndexError):
        return {"error": "the process that imported TensorFlow exited without an answer"}


def _software(told: Mapping[str, Any], survey: gpus.Survey) -> Iterator[Finding]:
    yield _python()
    if "error" in told:
        yield Finding(
            "TensorFlow",
            "missing",
            str(told["error"]),
            f"Install it: {sys.executable} -m pip install tensorflow tf_keras",
        )
        return
    yield Finding("TensorFlow", "ok", str(told["tensorflow"]))
    yield _keras(str(told["tensorflow"]), str(told["keras"]))
    yield _keras_2(str(told["tensorflow"]))
    problem, remedy = told["estimator"] or ("", "")
    found = problem or f"{installed('tensorflow-estimator')}, supported by mwtutor"
    yield Finding("Estimator", "note" if problem else "ok", found, remedy)
    yield _cuda(told, survey)
    yield _nccl(told, survey)


def _python() -> Finding:
    found = f"{platform.python_version()} on {platform.system()}"
    if not (3, 10) <= sys.version_info[:2] <= (3, 13):
        return Finding("Python", "missing", found, "Use Python 3.10 to 3.13.")
    if not hasattr(os, "waitid"):
        return Finding("Python", "missing", found, " ".join(processes.NO_WAITID))
    if not LINUX:
        return Finding(
            "Python", "note", found, "Only Linux is tested; elsewhere, starting is slow."
        )
    return Finding("Python", "ok", found)


def _keras(tensorflow: str, keras: str) -> Finding:
    if keras.startswith("missing"):
        return Finding(
            "Keras", "missing", keras, "pip install tf_keras, or unset TF_USE_LEGACY_KERAS."
        )
    if keras.startswith("2."):
        return Finding("Keras", "ok", f"{keras}: tf.keras is Keras 2")
    if keras3.recognized(tensorflow, keras):
        return Finding("Keras", "ok", f"{keras}: tf.keras is Keras 3, supported by mwtutor")
    return Finding(
        "Keras",
        "note",
        f"{keras}, which mwtutor does not support: fit may fail on several workers",
        f"Install a supported pair ({keras3.KNOWN}), or use --keras 2.",
    )


def _keras_2(tensorflow: str) -> Finding:
    release = ".".join(tensorflow.split(".")[:2])
    found = installed("tf_keras")
    if release == "2.15":
        return Finding("Keras 2", "ok", "in TensorFlow itself")
    if found.startswith(f"{release}."):
        return Finding("Keras 2", "ok", f"tf_keras {found}")
    shown = f"tf_keras {found} does not match TensorFlow {tensorflow}" if found else "no tf_keras"
    return Finding("Keras 2", "note", shown, f"pip install 'tf_keras=={release}.*'")


def _cuda(told: Mapping[str, Any], survey: gpus.Survey) -> Finding:
    if not told["cuda_build"]:
        remedy = "To use the GPUs here: pip install 'tensorflow[and-cuda]'" if survey.gpus else ""
        return Finding("CUDA", "note", "this TensorFlow was built without CUDA", remedy)
    found = f"TensorFlow was built for CUDA {told['cuda']} and cuDNN {told['cudnn']}"
    seen = int(told["gpus"])
    visible = survey.visible(os.environ.get(gpus.VISIBLE))
    if visible and not seen:
        return Finding(
            "CUDA",
            "note",
            f"{found}, but sees no GPU although the driver lists {len(visible)}",
            "Install the libraries that it looks for: pip install 'tensorflow[and-cuda]'",
        )
    return Finding("CUDA", "ok", f"{found}, and sees {seen or 'no'} GPU{'s' * (seen != 1)}")


def _nccl(told: Mapping[str, Any], survey: gpus.Survey) -> Finding:
    if told["nccl"]:
        return Finding("NCCL", "ok", str(told["nccl"]))
    remedy = "pip install 'tensorflow[and-cuda]'" if survey.gpus else ""
    return Finding("NCCL", "note", "none; gradients are summed by RING", remedy)


def _hardware(survey: gpus.Survey) -> Iterator[Finding]:
    if survey.problem:
        yield Finding("GPU driver", "note", survey.problem, survey.remedy)
    else:
        yield Finding("GPU driver", "ok", f"{survey.driver}, for CUDA up to {survey.cuda}")
    names = [_named(device) for device in survey.devices]
    yield Finding(
        "GPUs", "ok" if names else "note", ", ".join(names) or "none: training uses the CPU"
    )


def _named(device: gpus.Device) -> str:
    return f"{device.name} ({gib(device.memory)})" if device.memory else device.name


def _limits(workers: int, found: Limits) -> Iterator[Finding]:
    by = f", by {found.cores_by}" if found.cores_by else ""
    yield Finding("Processors", "ok", f"{found.cores:.3g}{by}")
    by = f", by {found.memory_by}" if found.memory_by else ""
    free = f"{gib(found.memory)} available{by}"
    if found.memory < workers * _WORKER_MEMORY:
        few = f"{free}: too little for {workers} workers"
        fit = found.memory // _WORKER_MEMORY
        yield Finding(
            "Memory", "note", few, f"Start at most {fit}." if fit else "Free some memory."
        )
    else:
        yield Finding("Memory", "ok", free)


def _hub(found: Limits, env: Mapping[str, str]) -> Iterator[Finding]:
    """On a JupyterHub: whether the limits that it announces are enforced.

    A spawner announces them in variables; LocalProcessSpawner, for example, does not enforce them.
    """
    if "JUPYTERHUB_USER" not in env:
        return
    memory, cores = _number(env.get("MEM_LIMIT", "")), _number(env.get("CPU_LIMIT", ""))
    loose = []
    if memory and not 0 < found.cap <= memory:
        loose.append(f"MEM_LIMIT is {gib(int(memory))}")
    if cores and found.cores > cores:
        loose.append(f"CPU_LIMIT is {cores:g}")
    if loose:
        yield Finding(
            "JupyterHub",
            "note",
            f"{' and '.join(loose)}, but nothing enforces {'them' if loose[1:] else 'it'}",
            "Ask its administrator for a spawner that enforces limits, such as SystemdSpawner.",
        )
        return
    limits = "its limits are enforced" if memory or cores else "it sets no limits"
    yield Finding("JupyterHub", "ok", limits)


def _classroom() -> Iterator[Finding]:
    """On a shared machine: its limits, and what is running."""
    try:
        if limits := classroom.shares():
            yield Finding("Classroom", "ok", f"{limits}. Now: {classroom.usage(limits)}")
    except BadInput as error:
        yield Finding("Classroom", "missing", error.problem, error.remedy)


def _number(text: str) -> float:
    try:
        return max(0.0, float(text))
    except ValueError:
        return 0.0


def _shared_memory() -> Finding:
    try:
        stat = os.statvfs("/dev/shm")
    except OSError:
        return Finding(
            "/dev/shm", "note", "none", "NCCL needs it to connect GPUs on the same machine."
        )
    free = stat.f_bavail * stat.f_frsize
    small = free < _SHARED_MEMORY
    remedy = "NCCL needs more to connect GPUs; in Docker, use --shm-size=1g." if small else ""
    return Finding("/dev/shm", "note" if small else "ok", f"{gib(free)} available", remedy)


def _fork_server() -> Finding:
    if not LINUX:
        return Finding(
            "Fork server", "note", f"not on {sys.platform}: plain processes are used instead"
        )
    if forkserver_client.alive():
        return Finding("Fork server", "ok", "running, with TensorFlow imported")
    return Finding("Fork server", "ok", "not running yet; %load_ext mwtutor or a launch starts it")


def _network() -> Finding:
    why_not = no_private_network()
    if why_not:
        return Finding(
            "Private network",
            "note",
            f"unavailable: {why_not}; runs use the host network, where anyone who can reach this"
            " machine can reach their ports",
            "Make it available (user namespaces: sysctl kernel.unprivileged_userns_clone=1), or use"
            " this machine only on a network that you trust.",
        )
    return Finding("Private network", "ok", "each run has one: nobody outside can reach its ports")


def _machines() -> Finding:
    """Whether ``--machines`` works, and which kinds of links work; each is tried."""
    none, no_limit, no_delay = what_machines_lack()
    if none:
        return Finding(
            "Machines",
            "note",
            f"unavailable: {none}",
            "Launch without --machines: the tasks of a run then share one network.",
        )
    if no_limit or no_delay:
        missing = f"be limited: {no_limit}" if no_limit else f"have delays: {no_delay}"
        words = f"each task can have its own machine, but its link cannot {missing}"
        return Finding("Machines", "ok", words)
    words = "each task can have its own machine, with limits and delays on its link"
    return Finding("Machines", "ok", words)


def no_private_network() -> str:
    """Why a private network is not possible; empty if it is. Every step is tried."""
    done = subprocess.run(
        [sys.executable, str(child.ENTRY), "network", "1"], capture_output=True, text=True
    )
    return done.stdout.strip() or ("the test did not run" if done.returncode else "")


def _horovod() -> Finding:
    python = horovod_python() or sys.executable
    try:
        check_interpreter(python, "horovod")
    except MwtutorError as error:
        found = f"{error.problem.rstrip('.')}; it is needed only for --with horovod"
        return Finding("Horovod", "note", found, error.remedy)
    line = as_typed_here("@mw_launch 4 train.py --with horovod")
    return Finding("Horovod", "ok", f"{line} uses {python}")


def _placement(size: ClusterSize, survey: gpus.Survey) -> Finding:
    name = f"{size.workers} worker{'s' * (size.workers != 1)}"
    try:
        setting = os.environ.get(gpus.VISIBLE)
        return Finding(name, "ok", place(Wish(), size, survey, setting, devices_in_use()).words)
    except BadInput as error:
        return Finding(name, "note", error.problem, error.remedy)


def _slurm() -> Iterator[Finding]:
    """If Slurm is installed: whether it answers."""
    if shutil.which("sbatch") is None:
        return
    try:
        words = ["sinfo", "--noheader", "--format=%D %t"]
        done = subprocess.run(words, capture_output=True, text=True, timeout=_ANSWER)
        problem = done.stderr.strip().splitlines()[-1:] if done.returncode else []
    except (OSError, subprocess.SubprocessError) as error:
        problem = [str(error)]
    if problem:
        yield Finding(
            "Slurm",
            "note",
            f"installed, but it does not answer: {problem[0]}",
            "Ask its administrator; mwtutor export --to slurm works without it.",
        )
        return
    nodes = ", ".join(done.stdout.split("\n")[:-1]) or "none"
    yield Finding("Slurm", "ok", f"nodes: {nodes}; mwtutor launch ... --on slurm")


def _ray() -> Iterator[Finding]:
    """If Ray is installed: whether there is a cluster."""
    if not (version := installed("ray")):
        return
    try:
        done = subprocess.run(
            [sys.executable, str(child.ENTRY), "ray-look", "1"],
            capture_output=True, timeout=PATIENCE, stdin=subprocess.DEVNULL,
        )  # fmt: skip
        told = json.loads(done.stdout.splitlines()[-1])
    except (OSError, subprocess.SubprocessError, ValueError, IndexError):
        told = {"problem": "The test did not run.", "remedy": "Try python -c 'import ray'."}
    if "problem" in told:
        found = f"{version}, without a cluster: {told['problem'].rstrip('.')}"
        yield Finding("Ray", "note", found, told["remedy"])
    else:
        yield Finding("Ray", "ok", f"{version}; {told['nodes']}; mwtutor launch ... --on ray")
