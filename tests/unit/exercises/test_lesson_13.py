"""The verdicts of lesson 13 on lines and programs that its sabotages do not have."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import h5py
import numpy as np
import pytest

from mwtutor.exercises.catalogue import find
from mwtutor.exercises.exercise import Verdict
from mwtutor.exercises.lessons.lesson_13.exercise_2 import check as of_ranks

LINE = find("13-1")
REPAIR = find("13-2")


def line(text: str) -> Verdict:
    return LINE.check(SimpleNamespace(value={"line": text}.get))


@pytest.mark.parametrize(
    "text",
    [
        "mpirun -H m1:2,m2:2,m3:2 python train.py",
        "mpirun --host m1,m1,m2,m2,m3,m3 -n 6 python train.py",
        "horovodrun --hosts=m3:2,m1:2,m2:2 -np 6 python train.py",
    ],
)
def test_other_lines_that_are_right(text):
    assert line(text).status == "right"


def test_horovodrun_wants_a_number():
    verdict = line("horovodrun -H m1:2,m2:2,m3:2 python train.py")
    assert verdict.words == "`horovodrun` needs the number of processes."
    assert line("mpirun -H m1:2,m2:2 python train.py").status == "wrong"
    spaces = line("horovodrun -np 6 -H m1:2, m2:2, m3:2 python train.py")
    assert spaces.words == "The machines it names are m1."


def test_a_host_file_names_machines_too():
    verdict = line("mpirun --hostfile hosts -np 6 python train.py")
    assert verdict.words == "The machines are in another file. Name them in `line` itself."


def test_the_second_exercise_names_what_it_needs(monkeypatch):
    work = SimpleNamespace(run=lambda name: None)
    monkeypatch.setattr(of_ranks, "unmet", lambda word: "needs Horovod")
    assert REPAIR.check(work).words == "It needs Horovod."
    monkeypatch.setattr(of_ranks, "unmet", lambda word: "")
    assert REPAIR.check(work).words == "ranks.py has not been launched."


def ranks(folder: Path, *begins: float, kinds: Sequence[str], wrong: float = 0.0) -> Verdict:
    """The verdict on two ranks that started with these biases and trained correctly."""
    draw = np.random.default_rng(1)
    images, labels = draw.random((64, 784)), draw.integers(0, 10, 64)
    np.savez(folder / "digits.npz", images=images, labels=labels)
    given = [(np.zeros((784, 10)), begin * np.arange(10.0)) for begin in begins]
    shared: Any = [(images[rank::2], labels[rank::2]) for rank in range(2)]
    kernel, bias = of_ranks._trained(shared, given, 2 * 0.05)
    with h5py.File(folder / "saved-by-0.weights.h5", "w") as file:
        file["layers/dense/vars/0"], file["layers/dense/vars/1"] = kernel - wrong, bias
    for rank, (begin, bias_0) in enumerate(given):
        arrays = {"end_0": kernel, "end_1": bias, "begin_0": begin, "begin_1": bias_0}
        np.savez(folder / f"ranks-{rank}.npz", **arrays)
    request = SimpleNamespace(is_horovod=True, workers=2)
    outcome = SimpleNamespace(ok=True, reason="")
    exchanges = [SimpleNamespace(kind=kind) for kind in kinds]
    ledger = SimpleNamespace(exchanges=exchanges, unrecorded=())
    run = SimpleNamespace(
        outcome=outcome,
        spec=SimpleNamespace(request=request),
        exchanges=lambda: SimpleNamespace(ledgers={"worker:0": ledger, "worker:1": ledger}),
    )
    return REPAIR.check(SimpleNamespace(folder=folder, run=lambda name: run))


def test_equal_seeds_are_no_broadcast(tmp_path):
    steps = ["all-reduce"] * 8
    for first in (["broadcast"], ["all-reduce", "broadcast"], ["all-gather"]):
        assert ranks(tmp_path, 0.0, 0.0, kinds=[*first, *steps]).status == "right"
    assert ranks(tmp_path, 0.0, 0.5, kinds=steps).status == "right"
    for kinds in (steps, [*steps, "broadcast"], []):
        assert "no rank sent its own" in ranks(tmp_path, 0.0, 0.0, kinds=kinds).words


def test_the_file_has_the_final_weights(tmp_path):
    steps = ["all-reduce"] * 8
    assert "first step averaged" not in ranks(tmp_path, 0.0, 0.0, kinds=["broadcast", *steps]).words
    assert "first step averaged" in ranks(tmp_path, 0.0, 5.0, kinds=steps).words
    assert ranks(tmp_path, 0.0, 0.5, kinds=steps).status == "right"
    words = ranks(tmp_path, 0.0, 0.5, kinds=steps, wrong=1.0).words
    assert words == "The weights are right, but the file that rank 0 saved has other weights."
