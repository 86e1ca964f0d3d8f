"""``mwtutor exercise``: its messages to a course author about a folder with any content."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.support.waiting import until

pytestmark = pytest.mark.e2e

MWTUTOR = [sys.executable, "-c", "import sys; from mwtutor.cli import main; sys.exit(main())"]

#: Too long for a socket's path.
TEMPORARY = "temporary-" * 9
HEAD = "# misconception: none\n# says: never said\n"


def exercise(*words: str) -> subprocess.CompletedProcess[str]:
    command = [*MWTUTOR, "exercise", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


@pytest.fixture
def mine(work: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new folder, and a visible directory for temporary files."""
    (work / TEMPORARY).mkdir()
    monkeypatch.setenv("TMPDIR", str(work / TEMPORARY))
    assert exercise("new", "mine").returncode == 0
    return work / "mine"


def left(work: Path) -> list[object]:
    """The processes whose working directory is below this one, and the temporary files."""
    files = [path for path in (work / TEMPORARY).iterdir() if path.name != "mwtutor-0"]
    found: list[object] = [path for path in files if not path.name.startswith("mwtutor-tests")]
    for process in psutil.process_iter():
        try:
            if process.cwd().startswith(str(work)) and process.pid != os.getpid():
                found.append(process.cmdline())
        except psutil.Error:
            continue
    return found


def test_a_new_folder_is_as_it_should_be(mine):
    done = exercise("test", "mine")
    assert done.stdout.splitlines() == [
        "mine",
        "  ok    stub.py: not solved yet. `share` returns None.",
        "  ok    solution.py: right. With 1, 2 and 3 workers, each row is taken once.",
        "  ok    wrong/1_all_rows.py: not right yet. With 2 workers, row 0 is taken 2 times.",
        "  ok    wrong/2_no_remainder.py: not right yet. With 3 workers, no worker takes row 9 of"
        " 10.",
        "  ok    answers.py:1 (takes one row after the other, into a tuple): right. With 1, 2 and 3"
        " workers, each row is taken once.",
        "  ok    answers.py:6 (begins one row late): not right yet. With 2 workers, no worker takes"
        " row 0 of 10.",
        "        The check judged none of 2 mutations right.",
        "No faults were found.",
    ]
    assert (done.returncode, done.stderr) == (0, "")
    assert left(mine.parent) == []
    again = exercise("new", "mine")
    assert (again.returncode, "not an empty folder" in again.stderr) == (2, True)


def test_what_is_not_as_it_should_be_is_said(mine):
    solution = (mine / "solution.py").read_text()
    (mine / "stub.py").write_text(solution)
    (mine / "wrong" / "1_all_rows.py").write_text(HEAD + solution)
    (mine / "wrong" / "3_other.py").write_text(
        "# misconception: x\n# says: 2 work\ndef share(*_): return 5\n"
    )
    (mine / "wrong" / "4_all.py").write_text("# misconception: x\n# says: 2 workers, row\n"
        "def share(rows, worker, workers): return rows\n")  # fmt: skip
    (mine / "wrong" / "5_all.py").write_text("# misconception: x\n# says: row 0\n"
        "def share(rows, worker, workers): return rows\n")  # fmt: skip
    (mine / "answers.py").write_text(
        f"# == wrong: none\n{solution}# == right: all\ndef share(*_): return 5\n"
        "# == wrong: a: no\n# says: 3 work\ndef share(*_): return 5\n"
    )
    done = exercise("test", "mine", "--mutations", "0")
    faults = [line.strip() for line in done.stdout.splitlines() if "FAULT" in line]
    assert [line.partition(": ")[2] for line in faults] == [
        "its verdict is not 'not yet'. The verdict was: right. With 1, 2 and 3 workers, each row is"
        " taken once.",
        "its verdict is not 'wrong'. The verdict was: right. With 1, 2 and 3 workers, each row is"
        " taken once.",
        "its verdict lacks '2 work'. The verdict was: wrong. `share` must return a list of rows"
        " for each worker.",
        "its words, '2 workers, row', also appear in the verdict on wrong/5_all.py.",
        "its words, 'row 0', also appear in the verdict on wrong/4_all.py.",
        "its verdict is not 'wrong'. The verdict was: right. With 1, 2 and 3 workers, each row is"
        " taken once.",
        "its verdict is not 'right'. The verdict was: wrong. `share` must return a list of rows"
        " for each worker.",
        "no): its verdict lacks '3 work'. The verdict was: wrong. `share` must return a list of"
        " rows for each worker.",
    ]
    assert done.returncode == 1
    assert done.stdout.endswith("Faults: 8.\n")


def test_what_its_cells_lack_here_is_said_instead_of_faults(mine):
    tags = {"exercise": ["exercise-sample-1"], "run-it": ["run-sample-1", "needs:no-such-thing"]}
    cells = [
        {"cell_type": "code", "id": name, "metadata": {"tags": each}, "source": "1"}
        for name, each in tags.items()
    ]
    (mine / "mine.ipynb").write_text(json.dumps({"cells": cells}))
    done = exercise("test", "mine")
    assert done.stdout.splitlines() == [
        "mine",
        "        It was not tested: its cell run-it needs no-such-thing, which is not installed.",
        "Faults: 0. Exercises that were not tested: 1.",
    ]
    assert done.returncode == 0


HOSTILE = {
    "loops": "while True:\n    pass\n",
    "forks": "import os, time\ndef share(*_): return 5\nif os.fork() == 0:\n    os.setsid()\n"
    "    if os.fork() == 0:\n        time.sleep(600)\n",
    "leaves": "import os\nos._exit(7)\n",
    "dies": "import os\nos.kill(os.getpid(), 9)\n",
    "prints": "for _ in range(1024):\n    print('x' * 2**20)\ndef share(*_): return 5\n",
}


@pytest.mark.full  # the test waits for an endless loop
def test_code_that_does_harm_is_judged_too_and_leaves_nothing(mine):
    for name, code in HOSTILE.items():
        (mine / "wrong" / f"3_{name}.py").write_text(HEAD + code)
    done = exercise("test", "mine", "--mutations", "0", "--timeout", "15")
    said = {
        line.split(": ")[0].split("_")[-1].removesuffix(".py"): line.partition("verdict was: ")[2]
        for line in done.stdout.splitlines()
        if "FAULT" in line
    }
    assert said["loops"] == "not judged. The cell did not end within 15 s."
    assert said["forks"].startswith("wrong. `share` must return a list")
    assert said["leaves"].startswith("not yet. ")
    assert said["dies"] == "not judged. The cell ended the kernel."
    assert said["prints"].startswith("wrong. `share` must return a list")
    assert done.returncode == 1
    assert "ok    wrong/2_no_remainder.py" in done.stdout
    assert left(mine.parent) == []


def test_a_folder_that_cannot_be_read_is_told_why(mine):
    (mine / "solution.py").unlink()
    done = exercise("test", "mine")
    assert "mine/solution.py does not exist" in done.stderr
    assert "Traceback" not in done.stderr
    assert done.returncode == 2
    assert "nowhere does not exist" in exercise("test", "nowhere").stderr


def test_what_is_saved_is_tested_again(mine):
    shown = mine.parent / "shown"
    with shown.open("w") as output:
        command = [*MWTUTOR, "exercise", "test", "mine", "--watch", "--mutations", "0"]
        watching = subprocess.Popen(command, stdout=output, stderr=subprocess.STDOUT)
    until(lambda: shown.read_text().count("Watching mine") == 1)
    (mine / "stub.py").write_text("def share(*_): return 5\n")
    until(lambda: shown.read_text().count("Watching mine") == 2)
    assert "FAULT stub.py: its verdict is not 'not yet'." in shown.read_text()
    (mine / "task.md").unlink()
    until(lambda: shown.read_text().count("Watching mine") == 3)
    assert "task.md does not exist" in shown.read_text()
    watching.send_signal(signal.SIGINT)
    assert watching.wait(60) == 130
    assert "Traceback" not in shown.read_text()
    assert left(mine.parent) == []
