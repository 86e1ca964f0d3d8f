"""Panels that continue after their cell has returned, in a real kernel."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator

import pytest

from tests.support.runs.notebook_kernel import Kernel
from tests.support.waiting import until

pytestmark = pytest.mark.e2e

TRAINING = (
    "%%writefile train.py\nimport os, pathlib, time, mwtutor\n"
    "step = 0\n"
    "while not pathlib.Path('end').exists():\n"
    "    step += 1\n"
    "    mwtutor.report(step, loss=1 / step)\n"
    "    time.sleep(0.05)\n"
    "if pathlib.Path('end').read_text():\n"
    "    raise ValueError('no <b>such</b> luck')\n"
)


@pytest.fixture(scope="module")
def kernel(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kernel]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JPY_SESSION_NAME", "/home/me/lesson.ipynb")  # as Jupyter's server does
        kernel = Kernel(tmp_path_factory.mktemp("live"))
    kernel.run("%load_ext mwtutor")
    kernel.run(TRAINING)
    yield kernel
    kernel.close()


def launched(kernel: Kernel) -> tuple[str, str]:
    """Launch in a separate cell; return the ids of the cell and of its panel."""
    kernel.run("import pathlib; pathlib.Path('end').unlink(missing_ok=True)")
    cell = kernel.client.execute("%mw_launch 2 train.py --cold")
    shown = next_message(kernel, lambda message: message["msg_type"] == "display_data")
    assert kernel.client.get_shell_msg(timeout=60)["content"]["status"] == "ok"
    assert shown["parent_header"]["msg_id"] == cell
    return cell, shown["content"]["transient"]["display_id"]


def next_message(kernel: Kernel, wanted: Callable[[dict], object], seconds: float = 60.0) -> dict:
    deadline = time.monotonic() + seconds
    while True:
        message = kernel.client.get_iopub_msg(timeout=max(0.0, deadline - time.monotonic()))
        if wanted(message):
            return message


def update(kernel: Kernel, panel: str, words: str) -> dict:
    """The next update of a panel whose text contains these words."""

    def wanted(message: dict) -> bool:
        content = message["content"]
        return (
            message["msg_type"] == "update_display_data"
            and content["transient"]["display_id"] == panel
            and re.search(words, content["data"]["text/plain"]) is not None
        )

    return next_message(kernel, wanted)


def threads(kernel: Kernel) -> str:
    return kernel.run(
        "import threading; print([t.name for t in threading.enumerate() if 'mwt' in t.name])"
    ).strip()


def gone(kernel: Kernel) -> bool:
    until(lambda: threads(kernel) == "[]", otherwise="the thread continues though no run does")
    return True


def test_a_panel_goes_on_after_its_cell_and_ends_with_its_run(kernel):
    cell, panel = launched(kernel)
    message = update(kernel, panel, r"worker:1 +running +\d+ +0\.\d+ +\S*█")
    assert message["parent_header"]["msg_id"] == cell, "it belongs to the cell that launched"
    assert "steps/s" in message["content"]["data"]["text/plain"]
    assert re.search(r"\d+ MiB", message["content"]["data"]["text/html"])
    assert '<svg class="mw-curve" role="img"' in message["content"]["data"]["text/html"]
    assert kernel.run("1 + 1") == "2", "the kernel is free meanwhile"
    assert threads(kernel) == "['mwtutor-panels']"
    kernel.run("pathlib.Path('end').touch()")
    last = update(kernel, panel, "train: succeeded")
    assert last["parent_header"]["msg_id"] == cell
    assert gone(kernel)


@pytest.mark.full
def test_a_failure_is_shown_without_any_cell_and_its_log_is_open(kernel):
    _, panel = launched(kernel)
    update(kernel, panel, "running")
    kernel.run("pathlib.Path('end').write_text('fail')")
    page = update(kernel, panel, "train: failed")["content"]["data"]["text/html"]
    assert "no &lt;b&gt;such&lt;/b&gt; luck" in page
    assert "<b>such" not in page
    assert re.search(r'<details open="" data-mw-log="worker:[01]"><summary>', page)
    assert page.count("<details") == 2
    assert gone(kernel)


@pytest.mark.full
def test_a_wait_in_a_later_cell_leaves_the_last_frame_in_the_first(kernel):
    _, panel = launched(kernel)
    kernel.run("pathlib.Path('end').touch()")
    update(kernel, panel, "train: succeeded")
    waiting = kernel.client.execute("%mw_wait")
    last = update(kernel, panel, "train: succeeded")
    assert last["parent_header"]["msg_id"] == waiting, "whoever executes the notebook stores it"
    kernel.client.get_shell_msg(timeout=60)


@pytest.mark.full
def test_another_notebook_does_not_stop_the_run_of_this_one(kernel):
    launched(kernel)
    other = Kernel(kernel.cwd)
    try:
        other.run("%load_ext mwtutor")
        shown = other.run("%mw_launch 2 train.py --cold")
        assert shown.splitlines()[0].endswith(
            "train is running, and was launched by another notebook"
            f" (lesson.ipynb, kernel process {kernel.pid})."
        )
        assert "--name, or stop the run first: %mw_stop train" in shown
        assert "train: running" in kernel.run("%mw_status")
        assert "train: stopped" in other.run("%mw_stop train"), "asked to, it does"
    finally:
        other.close()


@pytest.mark.full
def test_a_kernel_that_ends_says_so_and_status_knows_afterwards(kernel):
    _, panel = launched(kernel)
    update(kernel, panel, "running")
    kernel.manager.restart_kernel()
    update(kernel, panel, "No longer updated: the kernel that showed it has exited.")
    kernel.client.wait_for_ready(timeout=60)
    kernel.run("%load_ext mwtutor")
    assert "It ended with the process that launched it" in kernel.run("%mw_status train")
