"""How errors in a pasted message or a log are recognized."""

from __future__ import annotations

import pytest

from mwtutor.cli import main
from mwtutor.worker.advice.common_errors import ROWS
from mwtutor.worker.advice.in_text import known_in
from mwtutor.worker.advice.row import Row
from tests.support.tables.errors import PRODUCED
from tests.support.tables.exchange_faults import FAULTS, dated

TABLE = [
    pytest.param(row, message, id=message[:40])
    for row, (message, _) in zip(ROWS, PRODUCED, strict=True)
]

LOG = """\
worker:1 | Traceback (most recent call last):
worker:1 |   File "main.py", line 9, in <module>
worker:1 | errors_impl.ValueError: {{node}} There must be at least one ps.
worker:0 | 2026-11-23 08:00:00 RuntimeError: Collective ops must be configured at program startup
worker:0 | RuntimeError: Collective ops must be configured at program startup
"""


@pytest.mark.parametrize(("row", "message"), TABLE)
def test_each_message_of_the_page_is_recognized_if_its_words_are_enough(row, message):
    known = known_in(f"Traceback\n  File main.py\nerrors_impl.{message}\n")
    begin = row.means.partition("{")[0]
    if row.applies is not Row.applies and not row.in_text:
        assert not any(one.means.startswith(begin) for one in known)
    else:
        assert [one.message for one in known] == [message]
        assert known[0].means.startswith(begin)


def test_a_task_that_cannot_be_reached_is_recognized_in_a_log():
    name = "tensorflow.python.framework.errors_impl.UnavailableError"
    (known,) = known_in(f"worker:0 | {name}: {{{{function_node x}}}} Socket closed\nand more\n")
    assert known.means == "Another task of the cluster has ended, or cannot be reached."


#: How the verdict on each fault of exchanges begins.
VERDICTS = {
    "skipped": "One worker leaves out an exchange",
    "shapes": "The workers entered exchanges that cannot be combined",
    "order": "The workers entered exchanges that cannot be combined",
    "swapped": "Values from different lines are added up",
    "another-collective": "The workers entered exchanges that cannot be combined",
    "one-ends": "Some workers take part in an exchange",
    "data-run-out": "Some workers take part in an exchange",
    "caught": "Some workers take part in an exchange",
    "chief-only": "One worker leaves out an exchange",
    "metric-of-the-chief": "The workers entered exchanges that cannot be combined",
}


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.program)
def test_each_verdict_on_exchanges_is_recognized_by_its_words(fault):
    words = dated(fault.words)
    (known,) = known_in(f"ValueError: no such luck\n{words}\n")
    assert known.message == words
    assert known.means.startswith(VERDICTS[fault.program])
    assert "esson 21" in known.do


def test_what_is_said_where_no_worker_is_to_blame_is_recognized():
    stuck, unknown = known_in(
        "worker:0 and worker:1 have all begun the same exchange, an all-reduce of float32[1] at"
        " a.py, line 3, and none of them has finished it: all tasks take part, but the data does"
        " not arrive.\nThe record of worker:1 is incomplete: whose exchange is missing cannot be"
        " determined.\n"
    )
    assert stuck.means == "No exchange is missing, but the data does not arrive."
    assert unknown.means.endswith("so mwtutor cannot name a culprit.")


def test_a_log_has_each_of_its_errors_once_in_order(work, capsys):
    (work / "job.log").write_text(LOG)
    assert main(["explain", "job.log"]) == 0
    assert capsys.readouterr().out == (
        "ValueError: {{node}} There must be at least one ps.\n"
        "  ParameterServerStrategy keeps the model on parameter servers, but this cluster has"
        " none.\n"
        "  Launch the program with --ps 1 as well.\n"
        "RuntimeError: Collective ops must be configured at program startup\n"
        "  TensorFlow was used before the strategy was created.\n"
        "  Create the strategy first, right after the imports.\n"
    )


def test_a_message_without_its_error_is_recognized_by_its_words():
    (known,) = known_in("Collective ops must be configured at program startup")
    assert known.means == "TensorFlow was used before the strategy was created."


@pytest.mark.parametrize(
    "text",
    [
        "", "no such luck", "ValueError: no such luck", "KeyError: 3", "a zip file",
        "KeyError: 'HOME'", "ConnectionRefusedError: [Errno 111] Connection refused",
        "failed to connect to all addresses",
    ],
)  # fmt: skip
def test_nothing_is_said_of_what_is_not_known(capsys, text):
    assert known_in(text) == []
    assert main(["explain", text]) == 1
    assert capsys.readouterr().out.startswith("No common error was recognized in this text.\n")


def test_a_log_that_cannot_be_shown_costs_no_terminal(work, capsys):
    (work / "job.log").write_bytes(
        b"\xff\x1b[2J ValueError: There must be at least one ps.\x1b[31m\x07"
    )
    assert main(["explain", "job.log"]) == 0
    shown = capsys.readouterr().out
    assert "There must be at least one ps." in shown
    assert "\x1b" not in shown
    assert "\x07" not in shown
