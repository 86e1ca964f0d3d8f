"""``mwtutor exchanges --json`` in a terminal, of a run whose tasks recorded exchanges."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from mwtutor.display.panel.panel import Panel
from mwtutor.exceptions import RunFailed
from mwtutor.run.observations.missing import verdict_words
from mwtutor.run.run import Run
from mwtutor.worker import ledger
from mwtutor.worker.ledger import Ledger, Operation, Place

ROOT = Path(__file__).parents[3]
STORED = ROOT / "tests" / "unit" / "run" / "record" / "stored"

#: The keys in the reference's tables: of the object, of a task, of an exchange, and of a line.
KEYS = [
    set(re.findall(r"^\| `(\w+)`", table, re.M))
    for table in re.findall(
        r"^\| key \|.*\n(?:\|.*\n)+", (ROOT / "docs/reference/commands.md").read_text(), re.M
    )
]

#: The line at which worker:1 makes one exchange fewer.
SKIPPED = 9


@pytest.fixture
def recorded(tmp_path: Path) -> Run:
    """A run whose workers made three exchanges and two."""
    directory = tmp_path / ".mwtutor" / "runs" / "20261123-082117-003-main"
    run = Run.open(Path(shutil.copytree(STORED, directory)))
    for task, lines in zip(run.tasks, ([8, SKIPPED, 8], [8, 8]), strict=True):
        made = Ledger(run.spec.log(task), 1)
        number = made.operation(Operation("all-reduce", "float32", (3,), "CPU:0", 2, "main.py", 4))
        for key, line in enumerate(lines):
            made.asked(1, key, Place("main.py", line, "<module>"))
            made.begins(number, 1, key, 12, 1795422070.0 + key)
            if key < 2:
                made.ends(number, 1, key, 1795422070.5 + key)
    return run


def printed(run: Run, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mwtutor", "exchanges", run.name, *words],
        cwd=run.directory.parents[2],
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_its_keys_are_those_of_the_reference_and_nothing_else_is_printed(recorded):
    done = printed(recorded, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    whole, task, exchange, line = KEYS
    first, second = (found.pop(f"worker:{index}") for index in range(2))
    assert found.keys() == whole
    assert first.keys() == second.keys() == task
    assert [len(one["exchanges"]) for one in (first, second)] == [first["made"], 2] == [3, 2]
    assert {*map(frozenset, (*first["exchanges"], *second["exchanges"]))} == {frozenset(exchange)}
    made = first["exchanges"][1]
    assert made["line"].keys() == made["built"].keys() == line
    assert (made["number"], made["size"], made["shape"]) == (2, 12, [3])
    assert (made["line"]["line"], made["built"]["line"]) == (SKIPPED, 4)
    assert first["exchanges"][2]["ended"] == 0
    assert "worker:0 made an exchange that worker:1 did not" in found["verdict"]
    assert found["unknown"] == ""
    assert found["verdict"] in printed(recorded).stdout


def test_the_verdict_is_where_people_look(recorded):
    words = verdict_words(recorded.exchanges())
    assert "worker:0 made an exchange that worker:1 did not" in words
    assert f"{words} More: %mw_exchanges" in repr(Panel.from_run(recorded))
    with pytest.raises(RunFailed) as failed:
        recorded.check()
    assert failed.value.problem.endswith(f"no luck (main.py, line 9). {words}")


def test_of_a_record_that_was_cut_it_says_that_nothing_is_known(recorded):
    _, second = recorded.tasks
    described = ledger.described(recorded.spec.log(second))
    described.write_bytes(described.read_bytes()[:-20])
    found = json.loads(printed(recorded, "--json").stdout)
    assert (found["verdict"], found["worker:1"]["whole"]) == ("", False)
    assert found["unknown"].startswith("The record of worker:1 is incomplete: whose exchange")
    assert found["unknown"] in printed(recorded).stdout
