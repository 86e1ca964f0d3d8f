"""Which task is the chief, and where each worker saves."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import mwtutor
from mwtutor.cluster import ClusterSize
from mwtutor.exceptions import BadCluster


def tf_config(size: ClusterSize, task: str) -> str:
    cluster = size.at([f"localhost:{5000 + number}" for number in range(size.tasks)])
    return cluster.tf_config(mwtutor.TaskId.parse(task))


@pytest.mark.parametrize(
    ("size", "chief"),
    [
        (ClusterSize(2), "worker:0"),
        (ClusterSize(2, chief=True), "chief:0"),
        (ClusterSize(1, chief=True, ps=1, evaluator=True), "chief:0"),
        (ClusterSize(2, evaluator=True), "worker:0"),
    ],
)
def test_every_cluster_has_one_chief(size, chief, monkeypatch):
    chiefs = []
    for task in size.at([f"localhost:{5000 + n}" for n in range(size.tasks)]).tasks():
        monkeypatch.setenv("TF_CONFIG", tf_config(size, str(task)))
        if mwtutor.is_chief():
            chiefs.append(str(task))
    assert chiefs == [chief]


@pytest.mark.parametrize("text", [None, "", " "])
def test_who_is_alone_is_the_chief(text, monkeypatch):
    monkeypatch.delenv("TF_CONFIG", raising=False)
    if text is not None:
        monkeypatch.setenv("TF_CONFIG", text)
    assert mwtutor.is_chief()


def test_a_wrong_tf_config_is_named(monkeypatch):
    monkeypatch.setenv("TF_CONFIG", '{"cluster": 1}')
    with pytest.raises(BadCluster):
        mwtutor.is_chief()


def test_only_the_chiefs_copy_stays(tmp_path, monkeypatch):
    wanted = tmp_path / "models" / "digits.keras"
    paths = {}
    for task in ("worker:0", "worker:1"):
        monkeypatch.setenv("TF_CONFIG", tf_config(ClusterSize(2), task))
        with mwtutor.write_filepath(wanted) as path:
            os.makedirs(path)
            Path(path, "saved").touch()
            paths[task] = Path(path)
    assert paths["worker:0"] == wanted
    assert Path(wanted, "saved").exists()
    assert paths["worker:1"].name == wanted.name
    assert not paths["worker:1"].parent.exists()


def test_nothing_stays_when_saving_fails(monkeypatch):
    monkeypatch.setenv("TF_CONFIG", tf_config(ClusterSize(2), "worker:1"))
    context = mwtutor.write_filepath("here/")
    path = Path(context.__enter__())
    path.touch()
    assert not context.__exit__(ZeroDivisionError, ZeroDivisionError(), None)
    assert path.name == "here"
    assert not path.parent.exists()
