"""The resources that the tasks of a real run use, measured while it is running."""

from __future__ import annotations

import json
import time
from itertools import islice

import pytest

from mwtutor import cli
from mwtutor.cluster import TaskId
from mwtutor.run.observations.usage import watch

pytestmark = pytest.mark.e2e

W0, W1 = TaskId("worker", 0), TaskId("worker", 1)

#: Worker 1 computes, worker 0 does not.
PROGRAM = """
    import json, os, time
    print("begun", flush=True)
    me = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
    while not os.path.exists("enough"):
        if me == 0:
            time.sleep(0.05)
"""


def test_who_works_is_seen_and_the_looks_end_with_the_run(launch, write, work, capsys):
    write("main.py", PROGRAM)
    run = launch("main.py", 2)
    begun = time.monotonic()
    seen = list(islice(watch(run, interval=1.0), 3))
    assert time.monotonic() - begun >= 2.5
    for one in seen:
        idle, busy = one.tasks
        assert idle.memory > 1 << 20
        assert idle.threads >= 1
        assert busy.cpu is not None
    assert sum(one.tasks[1].cpu for one in seen) > sum(one.tasks[0].cpu for one in seen)
    assert cli.main(["top", "-n", "1"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("worker:1") == 1
    assert "%" in shown
    assert cli.main(["logs", "--json"]) == 0
    lines = list(map(json.loads, capsys.readouterr().out.splitlines()))
    told = [(line["task"], line["attempt"], line["text"]) for line in lines]
    assert sorted(told) == [("worker:0", 1, "begun"), ("worker:1", 1, "begun")]
    (work / "enough").touch()
    *_, last = watch(run, interval=60.0)  # the end is noticed long before
    assert [(one.status, one.cpu) for one in last.tasks] == [("succeeded", None)] * 2
    assert cli.main(["top"]) == 2
    assert "has ended" in capsys.readouterr().err
