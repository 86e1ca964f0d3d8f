"""The same program under each scheduler that starts its tasks."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from mwtutor.cli import main
from mwtutor.system.ports import HeldPorts
from tests.parity.versions import keras_versions
from tests.support.machines import pods
from tests.support.programs.published import PROGRAMS

ROOT = Path(__file__).parents[2]

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow, pytest.mark.full]

#: Keras 3 under this strategy needs mwtutor's compatibility layer, which the program does not
#: request.
PROGRAM = """
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(7)
strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input((4,)), tf.keras.layers.Dense(3)])
    model.compile(loss="mse", optimizer="sgd")
x = np.arange(64.0, dtype="float32").reshape(16, 4) / 64
model.fit(x, x[:, :3], batch_size=8, epochs=2, verbose=0, shuffle=False)
total = float(sum(tf.reduce_sum(weights) for weights in model.weights))
print("trained", tf.keras.__version__[0], strategy.num_replicas_in_sync, total)
"""

QUIET = {"CUDA_VISIBLE_DEVICES": "-1", "TF_CPP_MIN_LOG_LEVEL": "2"}


def trained(printed: list[str]) -> list[str]:
    """The results that all tasks reported, which must be the same."""
    (one,) = {text.split("trained ")[1].split("\n")[0] for text in printed}
    return one.split()


def by_exec(words: list[str], surroundings: list[dict[str, str]], place: Path) -> list[str]:
    """Run ``mwtutor exec`` once in each of the environments; return the output of each."""
    given = {k: v for k, v in os.environ.items() if k != "TF_CONFIG" and "SLURM" not in k}
    started = []
    logs = [place / f"{number}.log" for number in range(len(surroundings))]
    try:
        for log, env in zip(logs, surroundings):
            with log.open("w") as out:
                command = [sys.executable, "-m", "mwtutor", "exec", *words]
                env = {**given, **QUIET, "TF_GRPC_REUSE_PORT": "1", **env}
                started.append(subprocess.Popen(command, env=env, stdout=out, stderr=out))
        codes = [process.wait(timeout=480) for process in started]
    finally:
        for process in started:
            process.kill()
            process.wait()
    assert not any(codes), "\n".join(f"---- {log.read_text()[-3000:]}" for log in logs)
    return [log.read_text() for log in logs]


def slurm_like(tasks: int) -> list[dict[str, str]]:
    """The variables of the tasks of a step with one node."""
    step = {
        "SLURM_JOB_ID": "7",
        "SLURM_STEP_ID": "0",
        "SLURM_STEP_NUM_TASKS": str(tasks),
        "SLURM_STEP_NODELIST": "localhost",
        "SLURM_STEP_TASKS_PER_NODE": str(tasks),
    }
    return [{**step, "SLURM_PROCID": str(rank), "SLURM_NODEID": "0"} for rank in range(tasks)]


def test_tasks_of_a_slurm_step_train_together(work, write):
    program = write("main.py", PROGRAM)
    with HeldPorts(2) as held:
        reserved = {"SLURM_STEP_RESV_PORTS": ",".join(map(str, sorted(held.numbers)))}
        printed = by_exec([str(program)], [{**one, **reserved} for one in slurm_like(2)], work)
    assert trained(printed)[1] == "2"


def test_tasks_of_a_tfjob_train_with_parameter_servers_and_end(work):
    """TF_CONFIG as Kubeflow writes it; a server and a worker end when the chief does."""
    if 3 not in keras_versions():
        pytest.skip("there is no Keras 3 here")
    with HeldPorts(3) as held:
        cluster = {job: [f"localhost:{held.numbers.pop()}"] for job in ("chief", "ps", "worker")}
        surroundings = [
            {"TF_CONFIG": json.dumps({"cluster": cluster, "task": task, "environment": "cloud"})}
            for task in ({"type": job, "index": 0} for job in cluster)
        ]
        words = [str(PROGRAMS / "coordinator_tfjob.py"), "--", "--saved-model-dir", str(work)]
        chief, *served = by_exec(words, surroundings, work)
    assert "RESULT [20.0, 2.0]" in chief
    assert (work / "model.keras").exists()
    assert all("training has ended, so this" in printed for printed in served)


#: An Estimator, with every kind of task; two of them serve, and must end when the training ends.
ESTIMATOR = """
import json, os
import tensorflow as tf

tf.get_logger().setLevel("INFO")

def data():
    return tf.data.Dataset.from_tensors(({"x": [[1.0]]}, [[2.0]])).repeat(40)

def model(features, labels, mode):
    v1 = tf.compat.v1
    weight = v1.get_variable("weight", initializer=0.0)
    loss = v1.losses.mean_squared_error(labels, weight * features["x"])
    step = v1.train.get_or_create_global_step()
    train = v1.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

estimator = tf.estimator.Estimator(model, "model")
evaluate = tf.estimator.EvalSpec(data, steps=1)
tf.estimator.train_and_evaluate(estimator, tf.estimator.TrainSpec(data), evaluate)
print("done", json.loads(os.environ["TF_CONFIG"])["task"])
"""


def exported(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict]:
    """The objects of a manifest."""
    assert main(["export", *words, "--image", "none:1", "--python", sys.executable]) == 0
    return list(yaml.safe_load_all(capsys.readouterr().out))


def pods_of(spec: dict, job: str, domain: str = "") -> list[pods.Pod]:
    """The pods of an Indexed Job, as Kubernetes would create them."""
    (container,) = spec["template"]["spec"]["containers"]
    domain = domain or spec["template"]["spec"]["subdomain"]
    env = {one["name"]: one["value"].replace("$$", "$")
           for one in container["env"] if "value" in one}  # fmt: skip
    return [
        pods.Pod(
            f"{job}-{index}",
            [word.replace("$$", "$") for word in container["command"]],
            f"{domain}.default.svc.cluster.local {job}-{index}.{domain}",
            {**QUIET, **env, "JOB_COMPLETION_INDEX": str(index), "PYTHONPATH": str(ROOT)},
        )
        for index in range(spec["completions"])
    ]


def test_the_pods_of_an_indexed_job_train_together(work, write, capsys):
    write("main.py", PROGRAM)
    *_, job = exported(capsys, "2", "main.py", "--to", "kubernetes")
    started = pods_of(job["spec"], job["metadata"]["name"])
    assert trained(pods.run(started, work, work))[1] == "2"


def test_the_pods_of_a_job_set_train_an_estimator_and_end(work, write, capsys):
    write("main.py", ESTIMATOR)
    words = ("1", "main.py", "--to", "jobset", "--chief", "--ps", "1", "--evaluator")
    *_, jobset = exported(capsys, *words)
    name = jobset["metadata"]["name"]
    started = [
        pod
        for job in jobset["spec"]["replicatedJobs"]
        for pod in pods_of(
            job["template"]["spec"],
            f"{name}-{job['name']}-0",
            jobset["spec"]["network"]["subdomain"],
        )
    ]
    assert [pod.name for pod in started] == [f"main-{role}-0-0" for role in
                                             ("chief", "worker", "ps", "evaluator")]  # fmt: skip
    chief, worker, server, evaluator = pods.run(started, work, work)
    assert "done {'type': 'chief'" in chief
    assert "done {'type': 'worker'" in worker
    assert "training has ended, so this server exits" in server
    # The chief's forty steps, and those that the other worker took meanwhile.
    (step,) = re.findall(r"Saving dict for global step (\d+)", evaluator)[-1:]
    assert int(step) >= 40
