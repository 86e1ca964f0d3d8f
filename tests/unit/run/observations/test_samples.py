"""Samples as values: summed by call and by path, whatever the file contains."""

from __future__ import annotations

import json

import pytest

from mwtutor.cluster import TaskId
from mwtutor.run.observations import samples
from mwtutor.run.observations.flames import others, tree, ways
from mwtutor.run.observations.samples import Sampled, Visit, collected
from mwtutor.run.observations.stacks import Frame
from mwtutor.worker.sampling import path_beside

W0 = TaskId("worker", 0)
LIBRARY = "/x/site-packages/keras/trainer.py"
MAIN, STEP = Frame("/p/main.py", 9, "<module>"), Frame("/p/main.py", 3, "step")
FIT, INNER = Frame(LIBRARY, 70, "fit"), Frame("/x/site-packages/tf/execute.py", 5, "execute")


def visit(*frames, seconds=1.0, main=True, waits=False):
    return Visit(main, waits, frames, seconds)


def test_calls_of_a_library_are_one_whatever_line_they_have_reached():
    later = Frame(LIBRARY, 71, "fit")
    (call,) = tree([visit(MAIN, FIT, INNER), visit(MAIN, later, INNER, waits=True), visit(MAIN)])
    assert (call.seconds, call.own, call.waiting, call.depth) == (3.0, True, 1.0, 3)
    (fit,) = call.below()
    assert (fit.seconds, fit.own) == (2.0, False)


def test_calls_of_the_program_differ_by_line_and_the_longest_comes_first():
    other = Frame("/p/main.py", 4, "step")
    (call,) = tree([visit(MAIN, STEP), visit(MAIN, other, seconds=2.0)])
    assert [(one.frame.line, one.seconds) for one in call.below()] == [(4, 2.0), (3, 1.0)]


def test_what_called_the_program_and_decorators_are_left_out():
    wrapper = Frame("/x/site-packages/keras/traceback_utils.py", 1, "error_handler")
    (call,) = tree([visit(INNER, MAIN, wrapper, FIT)])
    assert [call.frame, call.below()[0].frame] == [MAIN, FIT]
    (way,) = ways([visit(INNER, MAIN, wrapper, FIT, INNER)])
    assert (way.own, way.library) == ((MAIN,), (FIT, INNER))


def test_threads_without_the_programs_code_are_left_out():
    mine, theirs = visit(STEP, main=False), visit(INNER, main=False)
    assert list(others([visit(MAIN), mine, theirs])) == [mine]


def written(log, **more):
    found = {
        "token": "1.1",
        "done": True,
        "samples": 50,
        "seconds": 0.5,
        "longest": 0.02,
        "frames": [["/p/main.py", 9, "<mo\x1b[2Jdule>", ""]],
        "stacks": [[True, False, [0], 0.5]],
        **more,
    }
    path_beside(log).write_text(json.dumps(found))
    return {W0: (log, "1.1")}


def the_last(asked, why=""):
    *_, last = collected(asked, 0.1, lambda task: why)
    return last


def test_what_a_task_has_sampled_is_read_and_cannot_act(tmp_path):
    (one,) = the_last(written(tmp_path / "worker-0.log")).tasks
    assert (one.seconds, one.count, one.why) == (0.5, 50, "")
    assert one.paths == (visit(Frame("/p/main.py", 9, "<module>"), seconds=0.5),)


def test_of_a_task_that_ended_there_is_what_it_wrote(tmp_path):
    asked = written(tmp_path / "worker-0.log", done=False)
    found = the_last(asked, why="it failed")
    assert (found.tasks[0].why, found.seconds) == ("it failed", 0.5)


@pytest.mark.parametrize(
    "more",
    [
        {"token": "1.0"},
        {"stacks": [[True, False, [7], 0.5]]},
        {"stacks": 5},
        {"seconds": -1},
        {"seconds": float("nan")},
        {"frames": [["a"]]},
    ],
)
def test_what_is_no_answer_is_not_shown(tmp_path, monkeypatch, more):
    monkeypatch.setattr(samples, "PATIENCE", 0.0)
    found = the_last(written(tmp_path / "worker-0.log", **more))
    assert found == Sampled((samples.Samples(W0, why="no more samples arrived"),), 0.1)
