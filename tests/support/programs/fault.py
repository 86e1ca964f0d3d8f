"""Train on a cluster until a fault occurs: ``fault.py VICTIM PHASE FAULT [MORE]``.

VICTIM is a task's name. Before a process dies, it writes the time of its death to ``died``.
FAULT is ``none`` for a fault from outside, which may occur once the file ``reached`` exists,
because the phase has then begun. MORE is a memory cgroup for the fault that fills it, or
``forked``, which gives every task a child created by ``multiprocessing``.
"""

from __future__ import annotations

import ctypes
import json
import multiprocessing
import os
import pathlib
import signal
import sys
import threading
import time

victim, phase, fault = sys.argv[1:4]
config = json.loads(os.environ["TF_CONFIG"])
me = f"{config['task']['type']}:{config['task']['index']}"


def at(now: str) -> None:
    if now != phase or me != victim:
        return
    pathlib.Path("reached").touch()
    if fault == "none":
        return
    pathlib.Path("died.part").write_text(str(time.time()))
    os.rename("died.part", "died")
    if fault == "exit code":
        sys.exit(3)
    if fault == "exception":
        raise ValueError("no such luck")
    if fault == "os._exit":
        os._exit(4)
    if fault == "out of memory":
        fill_memory()
    if fault == "segmentation fault":
        ctypes.string_at(0)
    os.kill(os.getpid(), signal.Signals[fault])
    signal.pause()


def fill_memory() -> None:
    pathlib.Path(sys.argv[4], "cgroup.procs").write_text(str(os.getpid()))
    hoard = []
    while True:
        hoard.append(b"x" * 2**22)


if sys.argv[4:] == ["forked"]:
    multiprocessing.get_context("fork").Process(target=time.sleep, args=(600,)).start()
at("before it forms")
if phase == "while it forms" and me != victim:  # so that the cluster is still forming
    threading.Event().wait()
import tensorflow as tf  # noqa: E402

if "ps" in config["cluster"]:
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    if resolver.task_type != "chief":
        server = tf.distribute.Server(
            resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id
        )
        server.join()
    strategy = tf.distribute.ParameterServerStrategy(resolver)
    coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)

    def step() -> None:
        coordinator.schedule(tf.function(lambda: tf.constant(1.0)))
        coordinator.join()
else:
    strategy = tf.distribute.MultiWorkerMirroredStrategy()

    def step() -> None:
        def replica() -> tf.Tensor:
            return tf.distribute.get_replica_context().all_reduce("sum", tf.constant(1.0))

        strategy.run(replica)


at("in the first step")
step()
step()
at("in mid-training")
step()
at("after the last step")
if phase == "in mid-training":
    while True:
        step()
threading.Event().wait()
