"""The exact words about published programs whose tasks do not work together.

Each history is the record of a launch of such a program. ``tests/e2e/test_separate.py`` tests that
launches are recorded in this way, and so does ``tests/unit/worker`` where TensorFlow is not needed.
"""

from __future__ import annotations

import pytest

from mwtutor.display.panel import cooperation
from mwtutor.run.record.state import RunState, fold
from tests.support.runs.specs import a_spec

W = ("worker:0", "worker:1")


def of(task, event, **fields):
    return {"event": event, "task": task, "t": 2.0, **fields}


def both(event, **fields):
    return [of(task, event, **fields) for task in W]


SERVE = both("serving")
TRAIN = both("progress", step=3, metrics={})
BEGUN = both("program_started")
LISTEN = [*both("listening"), {"event": "cluster_formed", "t": 2.5}]
SUCCEEDED = {"event": "run_ended", "t": 9.0, "status": "succeeded", "reason": ""}


def place(task, name, address, tasks=2, changed=True):
    return of(task, "place", name=name, address=address, tasks=tasks, changed=changed)


def weights(*sums, fit=1):
    return [
        of(task, "weights", fit=fit, sums=[one, 0.0, 0.0, 1.0])
        for task, one in zip(W, sums, strict=True)
    ]


def child(task, program, exit):
    return of(task, "child_ended", program=program, exit=exit)


def left(*scripts):
    return both("task_ended", status="succeeded", exit=0, left=list(scripts))


HISTORIES = {
    "a parameter-server program without a chief": (
        SERVE,
        "All tasks are servers, and none coordinates the others: they wait forever. Add a chief"
        " and a parameter server: %mw_launch 2 main.py --chief --ps 1",
    ),
    "one task serves, and the other does not yet": (SERVE[:1], ""),
    "one task serves, and the other has ended": (
        [*SERVE[:1], of(W[1], "task_ended", status="succeeded", exit=0)],
        "Only worker:0 still runs, to serve the others, which have ended: it waits forever. End"
        " the run with %mw_stop.",
    ),
    "a task that served, and was stopped": (
        [*SERVE[:1], *both("task_ended", status="succeeded", exit=0), SUCCEEDED],
        "No cluster was formed: mwtutor saw no TensorFlow collectives in main.py.",
    ),
    "every task replaces TF_CONFIG by the same": (
        [*BEGUN, *(place(task, "worker:0", "localhost:12345") for task in W)],
        "worker:0 and worker:1 claim the same task, worker:0 at localhost:12345: main.py changes"
        " TF_CONFIG. Use the TF_CONFIG that mwtutor sets for each task.",
    ),
    "one task takes the place of another": (
        [*BEGUN, place("worker:1", "worker:0", "h:1", changed=False)],
        "worker:0 and worker:1 claim the same task, worker:0 at h:1: main.py does not read its"
        " task from TF_CONFIG. Use the TF_CONFIG that mwtutor sets for each task.",
    ),
    "each with a mock of a cluster of one": (
        [*BEGUN, *(place(task, task, f"localhost:{n}", 1) for n, task in enumerate(W))],
        "worker:0 and worker:1 each have a cluster of 1 task, not of 2: main.py changes TF_CONFIG."
        " Use the TF_CONFIG that mwtutor sets for each task.",
    ),
    "each takes its own place at its own address": (
        [*BEGUN, place("worker:0", "worker:0", "a:1"), place("worker:1", "worker:1", "b:1")],
        "",
    ),
    "a cluster at addresses of their own, in which they trained": (
        [*BEGUN, *(place(task, task, f"localhost:{n}") for n, task in enumerate(W)),
         *both("joined", workers=2), *TRAIN, SUCCEEDED],
        "",
    ),
    "a whole cluster in one process": (
        [
            *BEGUN,
            *(place(task, name, f"localhost:{n}", 3, changed=False)
              for task in W for n, name in enumerate(("worker:0", "worker:1", "ps:0"))),
        ],
        "main.py starts a whole cluster (worker:0, worker:1, ps:0) in one process, and each task"
        " starts its own. Launch it with 1 worker: %mw_launch 1 main.py",
    ),
    "a launcher whose workers failed": (
        [*BEGUN, *(child(task, "worker.py", n) for task in W for n in (1, 0)), SUCCEEDED],
        "main.py started 4 processes of its own (worker.py), and 2 exited with status 1; no"
        " task formed a cluster. Launch worker.py itself: %mw_launch 2 worker.py",
    ),
    "a launcher that leaves its workers": (
        [*BEGUN, *left("worker.py"), SUCCEEDED],
        "main.py started processes of its own (worker.py); no task formed a cluster. Launch"
        " worker.py itself: %mw_launch 2 worker.py",
    ),
    "functions in processes of their own, which failed": (
        [*BEGUN, child(W[0], "", 1), child(W[1], "", 1), SUCCEEDED],
        "main.py started 2 processes of its own, and 2 exited with status 1; no task formed a"
        " cluster. Launch a script that contains the code of one of these processes.",
    ),
    "a script that prepared something, before training": (
        [*BEGUN, child(W[0], "prepare.py", 1), *LISTEN, *TRAIN, SUCCEEDED],
        "",
    ),
    "a script that prepared something, and nothing else": (
        [*BEGUN, child(W[0], "prepare.py", 0), SUCCEEDED],
        "No cluster was formed: mwtutor saw no TensorFlow collectives in main.py.",
    ),
    "two trainings without a strategy": (
        [*BEGUN, *TRAIN, *weights(0.25, 0.5), SUCCEEDED],
        "These 2 workers trained separately: their weights differ at the end of fit, and main.py"
        " creates no MultiWorkerMirroredStrategy.",
    ),
    "two trainings under a MirroredStrategy": (
        [*BEGUN, *both("without_effect", what="MirroredStrategy"), *TRAIN, *weights(0.25, 0.5),
         SUCCEEDED],
        "These 2 workers trained separately: their weights differ at the end of fit, and main.py"
        " creates a MirroredStrategy, which uses the devices of one worker only. To train together,"
        " create a MultiWorkerMirroredStrategy.",
    ),
    "two training loops under a MirroredStrategy": (
        [*BEGUN, *both("without_effect", what="MirroredStrategy"), SUCCEEDED],
        "No cluster was formed: main.py creates a MirroredStrategy, which uses the devices of one"
        " worker only. To train together, create a MultiWorkerMirroredStrategy.",
    ),
    "a MirroredStrategy to evaluate with, after training together": (
        [*BEGUN, *LISTEN, *TRAIN, *both("without_effect", what="MirroredStrategy"), SUCCEEDED],
        "",
    ),
    "trained together over sockets": (
        [*BEGUN, *TRAIN, *weights(0.25, 0.25 + 1e-6), SUCCEEDED],
        "mwtutor saw no TensorFlow collectives in these 2 workers: main.py creates no"
        " MultiWorkerMirroredStrategy.",
    ),
    "trained together on JAX, whose coordinator listens at the address of a worker": (
        [*BEGUN, of(W[0], "listening"), *TRAIN, *weights(0.25, 0.25), SUCCEEDED],
        "mwtutor saw no TensorFlow collectives in these 2 workers: main.py creates no"
        " MultiWorkerMirroredStrategy.",
    ),
    "training that diverged": (
        [*BEGUN, *TRAIN, *weights(float("nan"), 0.5), SUCCEEDED],
        "mwtutor saw no TensorFlow collectives in these 2 workers: main.py creates no"
        " MultiWorkerMirroredStrategy.",
    ),
    "fit after an Estimator's cluster": (
        [*BEGUN, *LISTEN, *TRAIN, *weights(0.25, 0.25), *weights(0.25, 0.5, fit=2), SUCCEEDED],
        "These 2 workers trained separately: their weights differ at the end of fit; fit was"
        " called outside their cluster.",
    ),
    "train_and_evaluate without an evaluator": (
        [*BEGUN, *LISTEN, of(W[0], "evaluation_left_out"), SUCCEEDED],
        "No task evaluates: in a cluster with a chief, train_and_evaluate leaves its EvalSpec to an"
        " evaluator, but this run has none. Launch the program with --evaluator as well.",
    ),
    "DataParallel on TensorFlow": (
        [*BEGUN, *LISTEN, *both("without_effect", what="DataParallel")],
        "keras.distribution.DataParallel has no effect on TensorFlow: there, Keras divides neither"
        " the data nor the model among devices. Use tf.distribute.MultiWorkerMirroredStrategy"
        " alone.",
    ),
    "ModelParallel on TensorFlow, and no strategy yet": (
        [*BEGUN, of(W[0], "without_effect", what="ModelParallel")],
        "keras.distribution.ModelParallel has no effect on TensorFlow: there, Keras divides neither"
        " the data nor the model among devices, and with it alone each worker trains its own model."
        " Create a tf.distribute.MultiWorkerMirroredStrategy, and the model in its scope.",
    ),
}  # fmt: skip


def said(tmp_path, events, **request):
    start = {"event": "run_started", "t": 1.0, "cluster": {"worker": ["h:1", "h:2"]}}
    spec = a_spec(tmp_path, **request)
    return " ".join(filter(None, cooperation.hints(spec, fold(RunState(), [start, *events]))))


@pytest.mark.parametrize("name", HISTORIES)
def test_what_is_said_of_a_published_program(tmp_path, name):
    events, words = HISTORIES[name]
    assert said(tmp_path, events) == words


def test_the_line_to_type_has_what_was_typed(tmp_path):
    line = "2 'my main.py' --chief --ps 3 -- --epochs 4"
    shown = said(tmp_path, SERVE, program="my main.py", ps=3, args=("--epochs", "4"))
    assert f"Add a chief: %mw_launch {line}" in shown


def test_an_evaluator_that_is_there_evaluates(tmp_path):
    assert not said(tmp_path, [*LISTEN, of(W[0], "evaluation_left_out")], evaluator=True)


def test_horovod_that_was_never_initialized_is_named(tmp_path):
    shown = said(tmp_path, [*BEGUN, *TRAIN, SUCCEEDED], with_="horovod", python="/bin/true")
    assert shown == "These 2 workers trained separately: main.py does not call hvd.init()."


JOINED = [*BEGUN, *LISTEN, *both("joined", workers=2), *TRAIN]


@pytest.mark.parametrize(
    ("events", "words"),
    [
        ([*JOINED, *weights(0.25, 0.25), SUCCEEDED], ""),
        (
            [*JOINED, *weights(0.25, 0.5), SUCCEEDED],
            "These 2 workers trained separately: their weights differ at the end of fit. After"
            " keras.distribution.initialize(), set a distribution, such as"
            " keras.distribution.DataParallel(), before the model is created.",
        ),
        (
            [*BEGUN, *TRAIN],
            "These 2 workers train separately: main.py does not call"
            " keras.distribution.initialize().",
        ),
        (
            [*BEGUN, SUCCEEDED],
            "No cluster was formed: main.py does not call keras.distribution.initialize().",
        ),
    ],
    ids=["together", "no distribution", "not connected", "no fit"],
)
def test_processes_of_jax(tmp_path, events, words):
    assert said(tmp_path, events, with_="jax") == words


def test_nothing_is_said_of_cells(tmp_path):
    assert not said(tmp_path, [*SERVE, *TRAIN], sockets="/somewhere")
