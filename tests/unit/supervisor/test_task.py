"""A task as its supervisor sees it."""

from __future__ import annotations

import signal
import subprocess

from mwtutor.cluster import TaskId
from mwtutor.supervisor.task import TaskProcess


def test_a_task_that_leads_no_group_yet_is_signalled_all_the_same(tmp_path):
    task = TaskProcess(TaskId("worker", 0), None, tmp_path / "worker-0.log")
    with subprocess.Popen(["sleep", "60"]) as process:  # in our group, as one just forked
        task.pid = process.pid
        task.stop()
        assert process.wait(5) == -signal.SIGKILL
    task.close()
