"""Launches of JAX programs: what is rejected, and the environment of a process."""

from __future__ import annotations

import pytest

from mwtutor.cluster import ClusterSize, TaskId
from mwtutor.display.explain import explain_process
from mwtutor.display.panel.headline import _members
from mwtutor.engines.local.engine import LocalEngine
from mwtutor.exceptions import BadInput
from mwtutor.run.request import jax
from mwtutor.run.request.keras_choice import choose
from mwtutor.run.request.option_kinds import row
from mwtutor.run.request.options import LaunchRequest

TWO = ClusterSize(2).at(["127.0.0.1:12345", "127.0.0.1:12346"])


def request(**options: object) -> LaunchRequest:
    return LaunchRequest("train.py", 2, with_="jax", **options)


@pytest.mark.parametrize(
    ("name", "value"),
    [("chief", True), ("ps", 1), ("evaluator", True), ("evaluator_gpus", 1), ("comm", "ring"),
     ("keras", "2"), ("threads", 1), ("share_gpus", True), ("no_ledger", True)],
)  # fmt: skip
def test_what_has_no_effect_is_refused_by_name(work, name, value):
    label = row(LaunchRequest, name).label
    with pytest.raises(BadInput, match=f"--with jax cannot be combined with {label}: ") as raised:
        request(**{name: value}).checked()
    assert raised.value.remedy == f"Leave out {label}."


def test_the_rest_is_allowed(work):
    made = request(restarts=2, timeout=9.0, gpus_per_worker=2, machines=2).checked()
    assert "--with jax" in made.words()


def test_processes_meet_at_the_address_of_the_first():
    found = [jax.env(TWO, task) for task in TWO.tasks()]
    assert [one["KERAS_DISTRIBUTION_PROCESS_ID"] for one in found] == ["0", "1"]
    names = ("KERAS_DISTRIBUTION_JOB_ADDRESSES", "JAX_COORDINATOR_ADDRESS")
    assert {one[name] for one in found for name in names} == {"127.0.0.1:12345"}
    assert {one["KERAS_DISTRIBUTION_NUM_PROCESSES"] for one in found} == {"2"}


def test_a_process_explained():
    shown = explain_process(TWO, TaskId("worker", 1)).splitlines()
    assert {"KERAS_BACKEND=jax", "KERAS_DISTRIBUTION_PROCESS_ID=1"} <= set(shown)
    assert "worker:1 is process 1 of 2. The processes meet at 127.0.0.1:12345," in shown[-1]


def test_keras_runs_on_jax_and_is_never_forked():
    choice = choose(request(), None)
    assert choice.env == {"KERAS_BACKEND": "jax"}
    assert _members(request()) == "2 processes of JAX"
    planned = LocalEngine().plan(request(), None, choice.env)
    assert planned == {"warm": False, "why_cold": "Keras reads its backend when it is imported"}
