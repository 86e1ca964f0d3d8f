"""Faults of exchanges on real clusters, and the exact words of ``docs/errors.md`` about each."""

from __future__ import annotations

import importlib.util
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from mwtutor.run.observations.exchanges import meetings
from mwtutor.run.observations.missing import verdict
from tests.support.tables.exchange_faults import FAULTS, timeless

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow, pytest.mark.full]

_PATH = Path(__file__).parents[2] / "benchmarks" / "blame.py"
_SPEC = importlib.util.spec_from_file_location("blame", _PATH)
blame = importlib.util.module_from_spec(_SPEC)
sys.modules["blame"] = blame  # needed by its dataclasses
_SPEC.loader.exec_module(blame)


def ends_or_waits_in_vain(run):
    """Wait until the run ends, or until one task waits for another that has already ended."""
    for state in run.watch(0.1):
        if state.outcome is None and any(
            task.status.value == "succeeded" for task in state.tasks.values()
        ):
            content = run.exchanges()
            alone = [one for one in meetings(content.ledgers) if len(one.parts) == 1]
            waits = any(not part.done for one in alone for part in one.parts.values())
            if waits and verdict(content):
                run.stop()


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.program)
def test_the_words_of_the_page_are_what_is_said(launch, write, fault):
    write(f"{fault.program}.py", blame.FAULTS[fault.program].program)
    run = launch(f"{fault.program}.py", 2)
    ends_or_waits_in_vain(run)
    assert timeless(verdict(run.exchanges()).words) == fault.words


#: Two functions that the workers call in different orders; with 1.0, both exchange the same data.
_TURNS = (
    blame.BEGIN
    + """
losses, accuracies = tf.constant([1.0]), tf.constant([{other}])
def first():
    return exchange(losses)
def second():
    return exchange(accuracies)
for step in range(4):
    for turn in (first, second) if me == 0 else (second, first):
        print("total", turn().numpy())
"""
)


def test_whether_workers_that_take_turns_mix_values_does_not_follow_from_their_records(
    launch, write
):
    def ran(other):
        write("turns.py", _TURNS.format(other=other))
        run = launch("turns.py", 2)
        run.wait()
        content = run.exchanges()
        untimed = [
            [replace(one, begun=0.0, ended=0.0) for one in ledger.exchanges]
            for ledger in content.ledgers.values()
        ]
        text = (run.directory / "logs" / "worker-0.log").read_text()
        return untimed, verdict(content).words, set(re.findall(r"^total \[(.*)\]$", text, re.M))

    healthy, its_words, its_totals = ran(1.0)
    faulty, words, totals = ran(100.0)
    assert (its_totals, totals) == ({"2."}, {"101."})
    assert [len(made) for made in healthy] == [8, 8]
    assert healthy == faulty
    assert its_words == words
    assert words.endswith(" Unless both lines exchange the same data, this mixes their values.")
