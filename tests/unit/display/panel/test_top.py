"""The resources that tasks use, as shown and as measured."""

from __future__ import annotations

import pytest

from mwtutor.cluster import TaskId
from mwtutor.display.panel.top import Top
from mwtutor.run.engine import Usage
from mwtutor.run.observations.usage import Load, Loads, loads_between
from mwtutor.run.record.state import RunState, fold

W0, W1 = TaskId("worker", 0), TaskId("worker", 1)
STATE = fold(
    RunState(),
    [
        {"event": "run_started", "t": 1.0, "cluster": {"worker": ["h:1", "h:2"]}},
        {"event": "program_started", "t": 1.5, "task": "worker:0"},
    ],
)


def test_a_rate_is_what_has_grown_between_two_looks(tmp_path):
    before = {W0: Usage(100, 10.0, 3, 5000)}
    now = {W0: Usage(200, 13.0, 4, 9000), W1: Usage(300, 1.0, 2, 9000)}
    seen = loads_between(STATE, before, now, 2.0, {})
    assert seen.network == 2000
    first, second = seen.tasks
    assert (first.cpu, first.memory, first.threads, first.status) == (1.5, 200, 4, "running")
    assert (second.cpu, second.memory) == (None, 300)  # the task began between the two


@pytest.mark.parametrize("now", [{}, {W0: Usage(1, 2.0)}])
def test_what_is_not_known_is_not_shown(tmp_path, now):
    seen = loads_between(STATE, {W0: Usage(1, 3.0)}, now, 2.0, {})
    assert seen.network is None
    assert seen.tasks[0].cpu is None  # another process, about which less is known
    assert "%" not in repr(Top("main", seen))


def test_text_and_page_show_the_same():
    top = Top("<b>", Loads((Load(W0, "running", 1.26, 310_400_000, 24, 18.3),), 1_400_000.0))
    assert repr(top) == (
        "<b> · 1.3 processors · 1.4 MB/s on its own network\n"
        "  task      state      CPU   memory  threads  steps/s\n"
        "  worker:0  running  126 %  296 MiB       24     18.3"
    )
    page = top._repr_html_()
    assert "&lt;b&gt;" in page
    assert "interrupted" not in page
    over = repr(Top("main", Loads(()), "12:00:01")).splitlines()[0]
    assert over == "main · interrupted at 12:00:01, no longer updated"
    for cell in ("126 %", "296 MiB", "24", "18.3"):
        assert f"<td>{cell}</td>" in page


def test_machines_are_beside_their_tasks_and_counted_once():
    loads = (
        Load(W0, "running", machine="machine-0", wire=(1_500_000.0, 20.0)),
        Load(W1, "running", machine="machine-0"),
    )
    shown = repr(Top("main", Loads(loads))).splitlines()
    assert shown[1].split()[-3:] == ["machine", "sent/s", "received/s"]
    assert shown[2].endswith("machine-0  1.5 MB/s      20 B/s")
    assert shown[3].endswith("machine-0")
