"""A real kernel: the magics as a notebook uses them, and what remains when the kernel dies."""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from mwtutor.find_runs import find
from mwtutor.magics.names import LINE_MAGICS
from mwtutor.run import control
from tests.support.runs.notebook_kernel import Kernel
from tests.support.waiting import until, until_ended

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    kernel = Kernel(tmp_path_factory.mktemp("kernel"))
    kernel.run("%load_ext mwtutor")
    yield kernel
    kernel.close()


@pytest.fixture
def kernel(work: Path) -> Iterator[Kernel]:
    kernel = Kernel(work)
    kernel.run("%load_ext mwtutor")
    yield kernel
    kernel.close()


def children_of(pid: int) -> list[psutil.Process]:
    return psutil.Process(pid).children(recursive=True)


def test_the_kernel_never_imports_tensorflow(shared):
    shared.run("%%writefile quick.py\nprint('hello')")
    shared.run("%mw_launch 2 quick.py --wait")
    assert shared.run("import sys; print('tensorflow' in sys.modules)") == "False\n"


@pytest.mark.tensorflow
@pytest.mark.parametrize(
    ("line", "panel"), [("%mw_launch 1 brief.py", "brief: "), ("%mw_start 1", "session: ")]
)
def test_the_first_launch_of_a_kernel_says_what_it_waits_for_in_the_place_of_its_panel(
    work, line, panel
):
    (work / "brief.py").write_text("")
    kernel = Kernel(work)
    try:
        shown = kernel.run(f"%load_ext mwtutor\n{line}")
        assert shown.startswith("Starting: importing TensorFlow, 0 s")
        assert panel in shown
        outputs = zip(kernel.updates, kernel.places, strict=True)
        places = {place.get("display_id") for data, place in outputs if _is_panel(data)}
        assert len(places - {None}) == 1, "the panel took that place"
    finally:
        kernel.close()


def _is_panel(data: dict) -> bool:
    """Whether this is a panel, and not the buttons or (without widgets) the folds below it."""
    words = data.get("text/plain", "")
    is_below = not words or words.startswith("%mw_stop") or any("widget" in kind for kind in data)
    return not is_below


def test_launch_returns_at_once_and_wait_shows_the_end(shared):
    shared.run(
        "%%writefile slow.py\nimport mwtutor, time\nmwtutor.report(3, loss=.5)\ntime.sleep(1)"
    )
    assert "slow: " in shared.run("%mw_launch 2 slow.py")
    shared.updates.clear()
    assert "slow: succeeded" in shared.run("%mw_wait")
    last = next(data for data in reversed(shared.updates) if _is_panel(data))
    assert re.search(r"worker:1\s+succeeded\s+3\s+0.5000", last["text/plain"])
    assert "<table" in last["text/html"]


BARS = """%%writefile bars.py
from tqdm import tqdm
from tqdm.auto import trange

for _ in tqdm(range(3), desc="plain"):
    pass
for _ in trange(3, desc="auto"):
    pass
input()
"""


@pytest.mark.full
def test_progress_bars_input_and_a_failure_of_a_launched_program(shared):
    """From the second launch on, programs are forked from a process with a kernel's modules."""
    shared.run(BARS)
    for _ in range(2):
        shown = shared.run("%mw_launch 2 bars.py --wait")
    assert shared.reply["content"]["status"] == "error", "which stops 'Run all'"
    assert shown.rstrip().endswith("RunFailed: the panel above says why.")
    assert shown.count("worker:0 raised EOFError") + shown.count("worker:1 raised EOFError") <= 3
    assert "input() has nothing to read" in shown
    said = shared.run("%mw_logs bars")
    for index in (0, 1):  # two bars with the same rate are one line of worker:0-1
        for bar in ("plain", "auto"):
            assert len(re.findall(rf"worker:({index}|0-1) \| {bar}: 100%\|█+\| 3/3", said)) == 1


FIGURES = """%%writefile figures.py
import os
import matplotlib.pyplot as plt

print("backend:", plt.get_backend())
if '"index": 1' not in os.environ["TF_CONFIG"]:
    plt.plot([1, 3, 2])
    plt.show()
    plt.show()  # nothing has changed
    plt.title("more")
    plt.show()
"""


def test_the_figures_that_a_program_shows_are_kept(shared):
    shared.run("%%writefile none.py\npass")
    shared.run("%mw_launch 1 none.py --wait")
    assert "showed no figures" in shared.run("%mw_plot --figures --name none")
    shared.run(FIGURES)
    shown = shared.run("%mw_launch 2 figures.py --wait")
    assert " · 2 figures · " in shown
    assert "To see the program's figures: %mw_plot --figures" in shown
    said = shared.run("%mw_plot --figures").strip().splitlines()
    assert [line.partition(":")[0] for line in said] == ["figure 1 of worker", "figure 2 of worker"]
    for line in said:
        assert Path(line.rpartition(": ")[2]).read_bytes().startswith(b"\x89PNG")


def test_waiting_for_a_failure_raises_and_explains_on_one_screen(shared):
    shared.run("%%writefile bad.py\nraise ValueError('<b>no</b>')")
    shared.updates.clear()
    shown = shared.run("%mw_launch 1 bad.py --wait")
    assert shared.reply["content"]["status"] == "error"
    assert shared.reply["content"]["ename"] == "RunFailed"
    assert "worker:0 raised ValueError: <b>no</b> (bad.py, line 1)" in shown
    assert "Traceback (most recent call last)" in shown
    assert "site-packages" not in shown
    assert "magics/runs.py" not in shown
    assert "<b>no" not in shared.updates[-1]["text/html"], "what a program says is escaped"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("%mw_launch 2 nowhere.py", "There is no file"),
        ("%mw_launch two quick.py", "workers cannot be 'two'"),
        ("%mw_launch 0 quick.py", "0 workers"),
        ("%mw_launch -1 quick.py", "workers cannot be -1"),
        ("%mw_launch 2", "Name one program"),
        ("%mw_launch 2 quick.py --wiat", "did you mean --wait"),
        ("%mw_launch 2 quick.py --ps many", "--ps cannot be 'many'"),
        ("%mw_launch 2 'quick.py", "No closing quotation"),
        ("%mw_launch 2 syntax.py", "syntax.py, line 1"),
        ("%mw_launch 2 binary.py", "binary.py"),
        ("%mw_launch 2 quick.py --python /nowhere/python", "cannot be started"),
        ("%mw_launch 2 quick.py --cwd /nowhere", "There is no directory"),
        ("%mw_launch 2 quick.py --env TF_CONFIG={}", "TF_CONFIG cannot be set"),
        ("%mw_launch 2 quick.py --name ../up", "--name cannot be '../up'"),
        ("%mw_wait nobody", "no run named 'nobody'"),
        ("%mw_logs worker:9", "no task worker:9"),
        ("%mw_logs boss:1", "'boss:1' is not a task"),
        ("%mw_logs --grep (", "not a regular expression"),
        ("%mw_kill worker:0 --signal LOUD", "--signal cannot be 'LOUD'"),
    ],
)
def test_bad_input_is_a_sentence_and_a_remedy_and_starts_nothing(shared, line, words):
    shared.run(
        "open('syntax.py', 'w').write('def f(:'); open('binary.py', 'wb').write(b'\\0\\xff')"
    )
    shared.run("%mw_launch 1 quick.py --wait --name first")
    before = shared.run("import mwtutor; print(len(mwtutor.runs()))")
    shown = shared.run(line)
    assert words in shown
    assert len(shown.strip().splitlines()) == 2, shown
    assert shared.run("print(len(mwtutor.runs()))") == before


def test_a_tf_config_in_the_kernel_is_refused(shared):
    shared.run("import os; os.environ['TF_CONFIG'] = '{}'")
    try:
        assert "TF_CONFIG is already set" in shared.run("%mw_launch 1 quick.py")
    finally:
        shared.run("del os.environ['TF_CONFIG']")


def test_a_present_directory_that_was_removed_is_named(shared):
    shared.run("import os; home = os.getcwd(); os.mkdir('gone'); os.chdir('gone')")
    shared.run("os.rmdir(os.path.join(home, 'gone'))")
    try:
        for line in ("%mw_launch 1 quick.py", "%mw_start 2"):
            shown = shared.run(line)
            assert "The current directory has been removed." in shown
            assert len(shown.strip().splitlines()) == 2, shown
    finally:
        shared.run("os.chdir(home)")


def test_every_magic_has_its_complete_help(shared):
    from mwtutor.commands.dispatch import RUN_VERBS

    for verb in LINE_MAGICS:
        reply = shared.client.execute(f"%mw_{verb}?", reply=True, timeout=30)
        text = reply["content"]["payload"][0]["data"]["text/plain"]
        assert RUN_VERBS[verb].summary.splitlines()[0] in text


def test_the_same_cell_twice_stops_the_first_run_and_says_so(shared):
    shared.run("%%writefile forever.py\nimport time; time.sleep(600)")
    shared.run("%mw_launch 2 forever.py")
    shown = shared.run("%mw_launch 2 forever.py")
    assert "forever was still running and has been stopped." in shown
    assert "forever: stopped" in shared.run("%mw_stop")


def test_after_a_launch_that_has_ended_logs_are_its_own_and_stop_stops_no_other_run(shared):
    shared.run("%%writefile forever.py\nimport time; print('on', flush=True); time.sleep(600)")
    shared.run("%%writefile brief.py\nprint('brief')")
    shared.run("%mw_launch 1 forever.py")
    shared.run("%mw_launch 1 brief.py --wait")
    assert shared.run("%mw_logs") == "brief: succeeded\nworker:0 | brief\n"
    shown = shared.run("%mw_stop")
    assert "brief, which was launched last, has ended; forever is still running." in shown
    assert "--name forever" in shown
    assert "forever: running" in shared.run("%mw_status forever")
    assert "forever: stopped" in shared.run("%mw_stop --name forever")


def test_an_interrupt_ends_the_wait_and_not_the_run(shared):
    shared.run("%%writefile forever.py\nimport time; time.sleep(600)")
    shared.run("%mw_launch 1 forever.py")
    shared.client.execute("%mw_wait")
    until(lambda: shared.client.get_iopub_msg(timeout=30)["msg_type"] == "display_data")
    shared.manager.interrupt_kernel()
    reply = shared.client.get_shell_msg(timeout=30)["content"]
    assert reply["ename"] == "Interrupted", "so that 'Run all' stops here"
    assert reply["traceback"] == [
        "Interrupted: This cell was interrupted; forever keeps running in the background.",
        "To stop it: %mw_stop forever",
    ]
    until(lambda: "forever: running" in shared.run("%mw_status"))  # the run may still be starting
    shared.run("%mw_stop")


def test_a_failure_in_the_background_is_told_once_at_the_next_cell(shared):
    shared.run("%%writefile broken.py\nraise ValueError('no such luck')")
    shared.run("%mw_launch 1 broken.py")
    shared.run("import mwtutor; mwtutor.find('broken').wait(check=False).status")
    told = "broken failed: worker:0 raised ValueError: no such luck (broken.py, line 1)."
    assert told in shared.run("1 + 1")
    assert told not in shared.run("1 + 1")
    shared.run("%mw_launch 1 broken.py")
    assert "RunFailed" in shared.run("%mw_wait")
    assert told not in shared.run("1 + 1"), "it was seen"
    shared.run("%mw_launch 1 broken.py")
    shared.run("import mwtutor; mwtutor.find('broken').wait(check=False).status")
    assert told not in shared.run("%mw_status"), "the panel says it"
    assert told not in shared.run("1 + 1"), "it was seen"


@pytest.mark.parametrize(
    "end", ["kill", *(pytest.param(end, marks=pytest.mark.full) for end in ("shutdown", "restart"))]
)
def test_nothing_is_left_of_a_kernel_that_ends(kernel, work, end):
    kernel.run(
        "%%writefile forever.py\nimport subprocess, time, tensorflow as tf\n"
        "tf.distribute.MultiWorkerMirroredStrategy()\n"
        "subprocess.Popen(['sleep', '600'])\n"
        "subprocess.run(['sh', '-c', 'setsid sleep 601 &'])\ntime.sleep(600)"
    )
    kernel.run("%mw_launch 3 forever.py")
    run = find()
    until(lambda: run.state.formed)
    supervisor = psutil.Process(run.state.supervisor[0])
    until(lambda: len(supervisor.children(recursive=True)) == 9)
    left = [*children_of(kernel.pid), supervisor, *supervisor.children(recursive=True)]
    if end == "kill":
        os.kill(kernel.pid, signal.SIGKILL)
    elif end == "restart":
        kernel.manager.restart_kernel(now=True)
    else:
        kernel.manager.shutdown_kernel()
    until_ended(left)
    assert run.outcome.reason == "it ended with the process that launched it"
    assert not control.paths(run.spec)


@pytest.mark.full
def test_by_hand_with_the_tf_config_that_mw_config_shows(shared):
    shared.run("%%writefile quick.py\nimport os\nprint('I am', os.environ['TF_CONFIG'][-27:])")
    shared.run("%mw_launch 2 quick.py --wait")
    shown = shared.run("%mw_config worker:0")
    tf_config = re.search(r"TF_CONFIG='(.*)'", shown)[1]
    cell = f"!TF_CONFIG='{tf_config}' {sys.executable} quick.py"
    assert 'I am : {"type": "worker", "index": 0}}'[-20:] in shared.run(
        cell.replace("{", "{{").replace("}", "}}")
    )
    assert "worker:0 is at 127.0.0.1:" in shown
