"""The verdicts of lesson 14 on answers that are right only by luck."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from mwtutor.exercises.catalogue import find
from mwtutor.exercises.exercise import Verdict
from mwtutor.exercises.lessons.lesson_14.exercise_3 import check as broken_cluster

POD = find("14-1")
BROKEN = find("14-3")


def pod(host: str) -> Verdict:
    env = {"JOB_COMPLETION_INDEX": "4", "HOSTNAME": host}
    given = {"options": "--workers 3 --chief --ps 1", "env": env}
    return POD.check(SimpleNamespace(value=given.get))


def test_a_pod_of_the_job_has_its_name():
    assert pod("digits-4").status == "right"
    assert "without a domain" in pod("digits-4.digits").words
    assert "no pod of the Job `digits` is called 'server-4'" in pod("server-4").words


def test_a_variable_that_is_a_number_is_not_an_untouched_exercise():
    given = {"options": "--workers 3 --chief --ps 1", "env": {"JOB_COMPLETION_INDEX": 4}}
    verdict = POD.check(SimpleNamespace(value=given.get))
    assert (verdict.status, "dictionary of strings" in verdict.words) == ("wrong", True)


def run(ok: bool = True, reason: str = "") -> Any:
    config = json.dumps({"cluster": {"worker": ["a:1", "b:2"]}})
    outcome = SimpleNamespace(ok=ok, status="succeeded" if ok else "failed", reason=reason)
    return SimpleNamespace(outcome=outcome, tf_config=lambda task: config)


def broken(folder: Path, ended: Any) -> Verdict:
    return BROKEN.check(SimpleNamespace(folder=folder, run=lambda name: ended))


def trained(folder: Path, *, release: str = "release_2", apart: float = 0.0) -> None:
    """The files that two workers leave after correct training."""
    steps = [
        [[(step * 16 + worker * 8 + at) % 64 for at in range(8)] for step in range(16)]
        for worker in range(2)
    ]
    weights = np.zeros(4)
    for both in zip(*steps, strict=True):
        x, y = broken_cluster.rows_of([row for rows in both for row in rows])
        weights -= 0.1 * 2 * x.T @ (x @ weights - y) / len(x)
    for index, rows in enumerate(steps):
        told = {"peers": ["a:1", "b:2"], "release": release if index else "release_2"}
        told |= {"batch": 8, "rows": rows, "weights": (weights + index * apart).tolist()}
        (folder / f"broken-{index}.json").write_text(json.dumps(told))
    (folder / "model-0").mkdir()
    (folder / "model-0" / "checkpoint-1.data-00000-of-00001").touch()


def saved(folder: Path, index: int, place: str, **values: Any) -> None:
    """What a worker notes that has saved the weights and 256 rows, or other values."""
    weights = json.loads((folder / f"broken-{index}.json").read_text())["weights"]
    values = {
        f"{name}/.ATTRIBUTES/VARIABLE_VALUE": value
        for name, value in {"weights": weights, "seen": 256, **values}.items()
    }
    told = {"path": str(folder / place / "checkpoint-1"), "values": values}
    (folder / f"broken-saved-{index}.json").write_text(json.dumps(told))


def test_both_workers_save_to_one_place(tmp_path):
    trained(tmp_path)
    for second, status in (("model-1", "right"), ("model-0", "wrong")):
        for index, place in enumerate(("model-0", second)):
            saved(tmp_path, index, place)
        assert broken(tmp_path, run()).status == status


def test_the_checkpoint_has_what_both_workers_have_seen(tmp_path):
    trained(tmp_path)
    saved(tmp_path, 1, "model-1")
    saved(tmp_path, 0, "model-0", seen=128)
    assert "`seen` is 128; both workers together have seen 256" in broken(tmp_path, run()).words
    saved(tmp_path, 0, "model-0", weights=[0.0] * 4)
    assert "has different `weights`" in broken(tmp_path, run()).words
    saved(tmp_path, 0, "model-0", seen=[])
    assert broken(tmp_path, run()).status == "wrong"
    saved(tmp_path, 0, "elsewhere")
    assert "no checkpoint in `model-0`" in broken(tmp_path, run()).words


def test_a_program_that_did_not_run_is_not_told_to_keep_lines(tmp_path):
    words = broken(tmp_path, run(ok=False, reason="SyntaxError: invalid syntax")).words
    assert "SyntaxError" in words
    assert "Keep" not in words
    assert "Keep the lines with `notes`" in broken(tmp_path, run()).words


def test_weights_that_differ_are_explained_only_by_other_code(tmp_path):
    trained(tmp_path, apart=0.5)
    assert "executed release" not in broken(tmp_path, run()).words
    for path in tmp_path.glob("model-0/*"):
        path.unlink()
    (tmp_path / "model-0").rmdir()
    trained(tmp_path, apart=0.5, release="release_1")
    assert "worker:1 release_1" in broken(tmp_path, run()).words
