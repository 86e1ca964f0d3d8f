"""The terminal: real ``mwtutor`` processes, their exit statuses, Ctrl-C, and other terminals."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pexpect
import psutil
import pytest

from mwtutor.exceptions import MwtutorError
from mwtutor.find_runs import find
from mwtutor.run import control
from mwtutor.run.run import Run
from tests.support.waiting import until, until_ended

pytestmark = pytest.mark.e2e

MWTUTOR = [sys.executable, "-c", "import sys; from mwtutor.cli import main; sys.exit(main())"]
#: For tests that are not about the usual start: no fork server, so no TensorFlow import.
COLD = ("launch", "--cold")
FOREVER = "import time; print('on'); time.sleep(600)"


def mwtutor(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([*MWTUTOR, *words], capture_output=True, text=True, timeout=120)


def wait_for_run(name: str):
    def begun() -> Run | None:
        with contextlib.suppress(MwtutorError):
            run = find(name)
            if run.outcome is None and run.tasks and all(task.begun for task in run.tasks.values()):
                return run
        return None

    return until(begun, otherwise=f"{name} never began")


def test_the_exit_status_says_whether_every_task_succeeded(write):
    write("good.py", "print('fine')")
    write(
        "bad.py", "import os\nif '\"index\": 1' in os.environ['TF_CONFIG']:\n    raise OSError('x')"
    )
    done = mwtutor("launch", "2", "good.py")
    assert done.returncode == 0, done.stderr
    assert "good: succeeded" in done.stdout
    done = mwtutor(*COLD, "2", "bad.py", "--wait")
    assert done.returncode == 1
    assert "worker:1 raised OSError: x (bad.py, line 3)" in done.stdout
    assert "  |     raise OSError('x')" in done.stdout
    assert mwtutor("status", "good").returncode == 0
    assert mwtutor("status", "bad").returncode == 1
    printed = mwtutor("logs", "--name", "good").stdout.splitlines()
    assert printed == ["worker:0-1 | fine"]
    printed = mwtutor("logs", "--raw", "--name", "good").stdout.splitlines()
    assert sorted(printed) == ["worker:0 | fine", "worker:1 | fine"], "who was first is open"
    assert "bad" in mwtutor("runs").stdout
    assert (
        mwtutor("runs", "--clean").stdout == "Removed 2 runs that had ended.\nThere are no runs"
        " here yet.\n"
    )


@pytest.mark.full
def test_a_long_name_starts_and_stops_where_the_usual_runtime_directory_cannot_be(
    write, monkeypatch
):
    write("main.py", FOREVER)
    with tempfile.TemporaryDirectory(dir="/tmp") as base:
        place = Path(base, "x" * (54 - len(base)))
        place.mkdir()
        (place / f"mwtutor-{os.getuid()}").touch()
        monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
        monkeypatch.setenv("TMPDIR", str(place))
        monkeypatch.setattr(tempfile, "tempdir", None)  # this process should look there, too
        name = "n" * 64
        with subprocess.Popen([*MWTUTOR, *COLD, "2", "main.py", "--name", name]) as launched:
            try:
                run = wait_for_run(name)
                [socket] = control.paths(run.spec)
                assert socket.parent == place / f"mwtutor-{os.getuid()}-1"
                assert mwtutor("stop", name).returncode == 0
                assert launched.wait(timeout=30) == 1
            finally:
                launched.kill()
        assert not socket.exists()


@pytest.mark.full
def test_a_timeout_that_is_over_has_a_status_of_its_own(write):
    write("main.py", FOREVER)
    done = mwtutor(*COLD, "1", "main.py", "--timeout", "1")
    assert done.returncode == 2
    assert "main: timed out" in done.stdout
    assert mwtutor("wait", "main").returncode == 2, "whoever asks, and whenever"


@pytest.mark.full
@pytest.mark.parametrize("how", [(), ("--cold",)])
def test_a_program_whose_name_is_not_utf_8_is_run(work, how):
    name = os.fsdecode(b"scr\xff.py")
    Path(name).write_text("import sys; print('ran', ascii(sys.argv))")
    done = mwtutor("launch", "2", name, *how)
    assert done.returncode == 0, done.stdout + done.stderr
    logs = [log.read_text() for log in work.glob(".mwtutor/runs/*/logs/*.log")]
    assert logs == ["ran ['scr\\udcff.py']\n"] * 2
    assert "Traceback" not in done.stderr


@pytest.mark.full
def test_an_output_that_is_full_costs_what_would_be_shown_and_not_the_run(write):
    write("main.py", "print('fine')")
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [*MWTUTOR, "launch", "1", "main.py", "--cold"],
            stdout=full, stderr=subprocess.PIPE, text=True, timeout=120,
        )  # fmt: skip
    assert done.returncode == 2
    assert done.stderr.startswith("mwtutor: The output cannot be written: No space left on device.")
    assert find("main").outcome.ok


@pytest.mark.full
def test_a_terminal_of_few_characters_costs_no_run(write, monkeypatch):
    write("main.py", "print('fine')")
    monkeypatch.setenv("PYTHONIOENCODING", "ascii")
    done = mwtutor("launch", "1", "main.py", "--cold")
    assert (done.returncode, done.stderr) == (0, "")
    assert "main: succeeded - 1 worker - main.py" in done.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("launch", "2", "nowhere.py"),
        ("launch", "two", "main.py"),
        ("launch",),
        ("status",),
        ("logs", "worker:1"),
        ("stop", "nobody"),
        ("fly",),
    ],
)
def test_bad_input_exits_with_2_and_no_traceback(work, words):
    done = mwtutor(*words)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert done.stderr.startswith("mwtutor: ")
    assert not list(work.iterdir()), "nothing was written"


def test_help_has_every_option_and_examples():
    assert "launch" in mwtutor("--help").stdout
    text = mwtutor("launch", "--help").stdout
    for option in (
        "--chief",
        "--ps",
        "--evaluator",
        "--env",
        "--cwd",
        "--python",
        "--cold",
        "--name",
        "--wait",
        "--timeout",
        "--threads",
        "--grace",
        "--restarts",
        "-m",
    ):
        assert option in text
    assert "mwtutor launch 2 main.py --wait -- --epochs 3" in text


@pytest.mark.full
def test_what_the_programs_print_is_in_the_log_of_a_build_server(write, work):
    write(
        "talk.py",
        """
        import time
        print("first", flush=True)
        time.sleep(1)
        print("no end of line", end="")
        """,
    )
    with in_background(*COLD, "2", "talk.py") as process:
        printed = []
        for line in process.stdout:
            printed.append(line.rstrip())
            if len(printed) == 1:
                assert printed == ["Starting talk ..."], "at once"
            if printed[-1].endswith("| first"):
                assert find("talk").outcome is None, "as it comes"
        assert process.wait(60) == 0
    for words in ("first", "no end of line"):
        assert [f"worker:{n} | {words}" for n in (0, 1)] == sorted(
            line for line in printed if line.endswith(words)
        )
    assert Path(printed[-1].removeprefix("Logs: "), "worker-0.log").read_text().startswith("first")


@pytest.mark.full
def test_a_machine_is_not_given_more_than_it_can_carry(write):
    write("quick.py", "print('on')")
    narrow = "import os; os.sched_setaffinity(0, [min(os.sched_getaffinity(0))]); " + MWTUTOR[2]
    command = [*MWTUTOR[:2], narrow, "launch", "9", "quick.py"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert (
        "9 tasks are too many here: this process can use 1 processor (limited by an" in done.stderr
    )
    assert "--oversubscribe" in done.stderr
    assert "quick" not in mwtutor("runs").stdout


def test_ctrl_c_stops_the_cluster_and_nothing_is_left(write):
    write("main.py", FOREVER)
    terminal = pexpect.spawn(MWTUTOR[0], [*MWTUTOR[1:], "launch", "2", "main.py"], timeout=60)
    run = wait_for_run("main")
    terminal.expect("running")  # the process, too, has seen the run begin
    left = psutil.Process(terminal.pid).children(recursive=True)
    left += [psutil.Process(task.pid) for task in run.tasks.values()]
    terminal.sendintr()
    terminal.expect(pexpect.EOF)
    terminal.close()
    assert terminal.exitstatus == 130
    assert run.outcome.reason == "it was interrupted"
    until_ended(left)


@pytest.mark.full
def test_after_ctrl_c_only_the_end_of_what_nobody_has_read_is_printed(write):
    write("main.py", "print('a line of many\\n' * 100_000, 'the end', flush=True)\n" + FOREVER)
    with in_background(*COLD, "1", "main.py") as process:
        run = wait_for_run("main")
        until(lambda: "the end" in run.spec.log(*run.tasks).read_text(), otherwise="no lines")
        process.send_signal(signal.SIGINT)
        until(lambda: run.outcome, otherwise="not stopped")
        printed = process.communicate(timeout=30)[0]
    assert process.returncode == 130
    assert len(printed) < 200_000
    assert "… some lines are only in the logs.\n" in printed
    assert "the end" in printed
    assert printed.splitlines()[-1] == f"Logs: {run.directory / 'logs'}"


@pytest.mark.full
def test_a_second_ctrl_c_leaves_at_once(write):
    write("main.py", "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + FOREVER)
    command = [*MWTUTOR, *COLD, "1", "main.py", "--grace", "3"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as launched:
        run = wait_for_run("main")
        launched.send_signal(signal.SIGINT)
        until(lambda: run.state.ending, otherwise="not being stopped")
        launched.send_signal(signal.SIGINT)
        said = launched.communicate(timeout=2)[1]
    assert launched.returncode == 130
    assert said == "main is being stopped; its tasks have up to 3 s to end.\n"
    assert run.wait(30, check=False).reason == "it was interrupted"


@pytest.mark.full
def test_closing_the_terminal_stops_the_cluster(write):
    write("main.py", FOREVER)
    terminal = pexpect.spawn(MWTUTOR[0], [*MWTUTOR[1:], *COLD, "2", "main.py"], timeout=60)
    run = wait_for_run("main")
    left = [psutil.Process(task.pid) for task in run.tasks.values()]
    terminal.kill(signal.SIGKILL)
    until_ended(left)
    assert run.wait(10, check=False).reason == "it ended with the process that launched it"


def test_a_terminal_window_that_is_closed_takes_its_cluster_along(write):
    write("main.py", "import subprocess\nsubprocess.Popen(['sleep', '600'])\n" + FOREVER)
    terminal = pexpect.spawn(MWTUTOR[0], [*MWTUTOR[1:], "launch", "2", "main.py"], timeout=60)
    run = wait_for_run("main")
    terminal.expect("running")
    left = psutil.Process(terminal.pid).children(recursive=True)
    left += psutil.Process(run.state.supervisor[0]).children(recursive=True)
    # The system sends SIGHUP, and the terminal no longer exists. The descriptor is not closed by
    # number, because pexpect would close that number again when it may belong to another test's
    # socket.
    terminal.ptyproc.fileobj.close()
    until_ended(left)
    assert run.wait(10, check=False).status == "stopped"


@pytest.mark.full
def test_a_launch_under_nohup_outlives_its_terminal(write):
    write("main.py", "import os, time\nwhile not os.path.exists('enough'):\n    time.sleep(0.05)")
    with subprocess.Popen(["nohup", *MWTUTOR, *COLD, "1", "main.py"]) as launched:
        wait_for_run("main")
        launched.send_signal(signal.SIGHUP)
        Path("enough").touch()
        assert launched.wait(timeout=30) == 0
    assert find("main").outcome.ok


@contextmanager
def in_background(*words: str):
    with subprocess.Popen([*MWTUTOR, *words], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def test_another_terminal_looks_kills_and_stops(write):
    write("main.py", FOREVER)
    with in_background(*COLD, "3", "main.py") as first:
        wait_for_run("main")
        assert "worker:2" in mwtutor("status").stdout
        assert "on" in mwtutor("logs", "worker:1").stdout
        assert mwtutor("kill", "worker:9").returncode == 2
        assert mwtutor("kill", "worker:").returncode == 2
        assert mwtutor("kill", "worker:2").returncode == 0
        assert "worker:2 was killed by signal 9" in first.communicate(timeout=20)[0]
        assert first.returncode == 1
    with in_background(*COLD, "1", "main.py", "--name", "second") as second:
        wait_for_run("second")
        assert mwtutor("stop").stdout == "second stopped.\n"
        assert "stopped from a terminal" in second.communicate(timeout=20)[0]
        assert second.returncode == 1
