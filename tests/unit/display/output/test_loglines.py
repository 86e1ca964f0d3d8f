"""Log lines as shown: all lines in order, but identical lines of several tasks only once."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mwtutor.cluster import TaskId
from mwtutor.display.output.loglines import render
from mwtutor.display.panel.text import task_names
from mwtutor.run.logs.logs import LogLine

CHIEF = TaskId("chief", 0)
W = [TaskId("worker", index) for index in range(4)]


def lines(*written):
    return [LogLine(at, task, text) for at, task, text in written]


def test_what_tasks_print_in_step_is_shown_once():
    log = lines(
        (1.00, W[0], "Epoch 1"), (1.00, W[0], "loss 1"), (1.05, W[1], "Epoch 1"),
        (1.05, W[1], "loss 2"), (1.10, W[0], "done"), (1.20, W[1], "done"),
    )  # fmt: skip
    assert list(render(log, W[:2])) == [
        "worker:0-1 | Epoch 1",
        "  worker:0 | loss 1",
        "  worker:1 | loss 2",
        "worker:0-1 | done",
    ]
    raw = list(render(log, W[:2], apart=True))
    assert raw == [f"{line.task} | {line.text}" for line in log]


def test_what_tasks_print_at_other_times_is_shown_when_it_was():
    log = lines((1, W[0], "here"), (2, W[0], "on"), (30, W[1], "here"), (31, W[1], "on"))
    assert list(render(log, W[:2])) == [
        "  worker:0 | here",
        "  worker:0 | on",
        "  worker:1 | here",
        "  worker:1 | on",
    ]


@pytest.mark.parametrize("apart", [False, True])
def test_one_task_is_shown_as_it_is(apart):
    log = lines((1, W[0], "a"), (1, W[0], "a"), (1, W[0], "b"))
    assert list(render(log, W[:1], apart=apart)) == ["worker:0 | a", "worker:0 | a", "worker:0 | b"]


@given(
    st.lists(
        st.tuples(st.floats(0, 3), st.sampled_from(W[:3]), st.sampled_from("abc")), max_size=30
    )
)
def test_nothing_is_lost_added_or_put_before_what_its_task_wrote_earlier(written):
    log = sorted(lines(*written), key=lambda line: line.time)
    seen = {str(task): [] for task in W[:3]}
    names = {task_names(some): some for some in _some(W[:3])}
    for row in render(log, W[:3]):
        label, _, text = row.partition(" | ")
        for task in names[label.strip()]:
            seen[str(task)].append(text)
    assert seen == {str(t): [line.text for line in log if line.task == t] for t in W[:3]}


def _some(tasks):
    return [some for size in (1, 2, 3) for some in permutations(tasks, size)]


def test_tasks_in_few_words():
    assert task_names([W[0]]) == "worker:0"
    assert task_names(W) == "worker:0-3"
    assert task_names([CHIEF, W[0], W[2], W[3]]) == "chief:0, worker:0, worker:2-3"
    assert task_names([]) == ""


def test_the_machine_of_a_task_is_named_beside_it():
    log = lines((1, W[0], "here"), (1, W[1], "here"), (2, W[1], "on"))
    machines = {W[0]: "machine-0", W[1]: "machine-1"}
    assert list(render(log, W[:2], machines=machines)) == [
        "        worker:0-1 | here",
        "worker:1 machine-1 | on",
    ]
