"""Silent tasks report where they are."""

from __future__ import annotations

import json
import os
import time

from mwtutor.cluster import TaskId
from mwtutor.supervisor.stacks_at_timeout import PATIENCE, Silence
from mwtutor.supervisor.task import TaskProcess
from mwtutor.worker.stacks import answer_path


def silent(tmp_path, number: int) -> TaskProcess:
    task = TaskProcess(TaskId("worker", number), 1, tmp_path / f"worker-{number}.log")
    task.heard -= 20
    return task


def test_silent_tasks_are_asked_at_once_and_not_waited_for(tmp_path):
    tasks = [silent(tmp_path, number) for number in range(16)]
    asked, tasks[0]._ask = os.pipe()
    tasks[15].heard = time.monotonic()  # the task has just reported something
    clock = [time.monotonic()]  # stuck: anything that waited for it would wait forever
    silence = Silence(tasks, lambda: clock[0])
    assert silence.pending()
    token = os.read(asked, 64).decode().strip()
    frame = ["/home/me/main.py", 7, "step", ""]
    told = {"token": token, "threads": [{"main": True, "name": "", "frames": [frame]}]}
    answer_path(tasks[0].log).write_text(json.dumps(told))
    clock[0] += PATIENCE / 2
    assert silence.pending(), "the others may still answer"
    clock[0] += PATIENCE / 2
    assert not silence.pending()
    assert silence.words() == [
        "worker:0 was silent for 20 s, in step (main.py, line 7)",
        "worker:1 was silent for 20 s",
        "and so were 13 more",
    ]
    os.close(asked)
    for task in tasks:
        task.close()


def test_nobody_silent_is_nobody_to_wait_for(tmp_path):
    task = silent(tmp_path, 0)
    task.heard += 20
    silence = Silence([task])
    assert not silence.pending()
    assert silence.words() == []
    task.close()
