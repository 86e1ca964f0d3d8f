"""A class on a real JupyterHub. Needs root; see ``make test-extra WHAT=hub``."""

from __future__ import annotations

import contextlib
import json
import re
import secrets
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from mwtutor.system.classroom import Shares
from tests.course.lesson import LESSONS
from tests.hub.learners import MEMORY, PATIENCE, ApiLearner, Hub, run_all_in_browser
from tests.support.machines.accounts import Account, accounts, limit
from tests.support.waiting import until

pytestmark = [pytest.mark.browser, pytest.mark.timeout(3000)]

LESSON = next(one for one in LESSONS if one.number == "03")
NOTEBOOK = f"mwtutor-course/notebooks/{LESSON.path.name}"

FOREVER = """
%%writefile forever.py
import time
import tensorflow as tf
strategy = tf.distribute.MultiWorkerMirroredStrategy()
while True:
    time.sleep(1)
"""


@pytest.fixture
def people() -> Iterator[list[Account]]:
    with accounts(10, Shares(tasks=12, per_person=6, idle=30)) as made:
        yield made


@pytest.fixture
def groups(people: list[Account]) -> Iterator[dict[str, Path]]:
    """A control group for the memory of each server; none where they cannot be made."""
    base = Path("/sys/fs/cgroup/memory")
    limit = "memory.limit_in_bytes"
    if not base.exists():
        base, limit = Path("/sys/fs/cgroup"), "memory.max"
    made = {}
    with contextlib.suppress(OSError):
        for person in people:
            group = made[person.name] = base / person.name
            group.mkdir()
            (group / limit).write_text(str(MEMORY))
    yield made
    for group in made.values():  # fails if a process is left in it
        group.rmdir()


@pytest.fixture
def hub(people: list[Account], groups: dict[str, Path], tmp_path: Path) -> Iterator[Hub]:
    hub = Hub(people, groups, tmp_path)
    yield hub
    hub.close()


def solved(person: Account) -> list[str]:
    """Copy the course for this learner, with the exercises of the lesson solved; its cells."""
    copied = person.mwtutor("lessons").communicate(timeout=PATIENCE)[0]
    path = person.home / NOTEBOOK
    assert path.is_file(), copied
    solutions = {f"exercise-{one.id}": one.solution for one in LESSON.exercises}
    notebook = json.loads(path.read_text())
    cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    for cell in cells:
        tags = cell["metadata"].get("tags", [])
        cell["outputs"] = []
        cell["source"] = next(
            (solutions[tag] for tag in tags if tag in solutions), "".join(cell["source"])
        )
    path.write_text(json.dumps(notebook))
    return [cell["source"] for cell in cells]


def password_of(person: Account) -> str:
    password = secrets.token_hex(8)
    told = f"{person.name}:{password}"
    subprocess.run(["chpasswd"], input=told, text=True, check=True)
    return password


def commands(person: Account) -> list[str]:
    """What runs as this person."""
    found = []
    for one in person.processes():
        with contextlib.suppress(psutil.Error):
            found.append(f"{one.pid} {' '.join(one.cmdline())}")
    return found


def test_a_class_takes_a_lesson_and_a_culled_server_leaves_nothing(people, groups, hub):
    cells, *_ = map(solved, people)
    passwords = [password_of(person) for person in people]
    with ThreadPoolExecutor(len(people)) as threads:
        logins = [
            threads.submit(run_all_in_browser, hub, person, password, NOTEBOOK)
            for person, password in zip(people[:2], passwords, strict=False)
        ]
        learners = list(threads.map(lambda one: ApiLearner(hub, one, NOTEBOOK), people[2:]))
        ran = list(threads.map(lambda one: one.run_all(cells), learners))
        shown = [*(login.result() for login in logins), *ran]
    for text in shown:
        right = set(re.findall(r"^(03-\w+):? right\.", text, re.MULTILINE))
        assert right == {one.id for one in LESSON.exercises}, text
    for person in people:
        assert (person.home / NOTEBOOK).parent.joinpath(".mwtutor/progress.json").exists()

    limit(people[0], Shares(tasks=4, per_person=2, idle=1))
    learners[0].restart()
    until(lambda: any("fork server" in one for one in commands(people[2])), PATIENCE)
    limits = learners[0].run("%mw_doctor")
    assert "4 tasks at a time, 2 for each person; a session is stopped after 1 min" in limits
    if groups:
        assert f"{groups[people[2].name]}" in limits
        assert "its limits are enforced" in limits

    assert "This shared machine stops a session after 1 min" in learners[1].run("%mw_start 2")
    until(lambda: "no cell ran for 1 min" in learners[1].run("%mw_status"), PATIENCE)

    until(lambda: not any("fork server" in one for one in commands(people[2])), PATIENCE)

    learners[0].run(FOREVER.lstrip())
    learners[0].run("%mw_launch 2 forever.py")
    learners[1].run("%mw_start 2")
    until(lambda: sum("forever.py" in one for one in commands(people[2])) == 2, PATIENCE)
    until(lambda: sum("worker:" in one for one in commands(people[3])) == 2, PATIENCE)
    hub.cull()
    for person in people:
        until(lambda one=person: not commands(one), 30, lambda one=person: commands(one))
    assert "0 of 4 tasks are running" in people[0].mwtutor("classroom").communicate(timeout=60)[0]
