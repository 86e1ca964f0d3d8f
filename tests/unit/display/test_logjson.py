"""Log lines for programs to read."""

from __future__ import annotations

import json

from mwtutor.cluster import TaskId
from mwtutor.display.output.loglines import as_json
from mwtutor.run.logs.logs import LogLine, attempt_mark

W0 = TaskId("worker", 0)


def test_each_line_is_an_object_that_says_whose_it_is_and_of_which_attempt():
    lines = [
        LogLine(10.12345, W0, 'said "so" …'),
        LogLine(20.0, W0, attempt_mark(2)),
        LogLine(20.5, W0, "again"),
    ]
    found = list(map(json.loads, as_json(lines, {W0: [(9.0, 1), (20.0, 2)]})))
    assert found == [
        {"task": "worker:0", "time": 10.123, "attempt": 1, "text": 'said "so" …'},
        {"task": "worker:0", "time": 20.5, "attempt": 2, "text": "again"},
    ]


def test_a_task_of_which_the_log_says_nothing_is_in_its_first_attempt():
    assert json.loads(next(as_json([LogLine(1.0, W0, "x")], {})))["attempt"] == 1
