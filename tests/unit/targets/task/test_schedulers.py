"""The meaning of schedulers' variables, and the errors if they do not fit."""

from __future__ import annotations

import json
import socket

import pytest

import mwtutor
from mwtutor.exceptions import BadCluster, BadInput
from mwtutor.targets.task.schedulers import Shape, find


@pytest.fixture(autouse=True)
def nodes_have_names(monkeypatch):
    """The nodes of these jobs do not exist, and a name server may take seconds to answer that."""
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, port: [(host, port)])


def slurm(rank: int, **more: str) -> dict[str, str]:
    """The variables that ``srun -n3`` sets on the second and third of a job's four nodes."""
    return {
        "SLURM_JOB_ID": "7",
        "SLURM_STEP_ID": "1",
        "SLURM_PROCID": str(rank),
        "SLURM_NTASKS": "8",
        "SLURM_JOB_NODELIST": "n[1-4]",
        "SLURM_TASKS_PER_NODE": "2(x4)",
        "SLURM_STEP_NUM_TASKS": "3",
        "SLURM_STEP_NODELIST": "n[2-3]",
        "SLURM_STEP_TASKS_PER_NODE": "2,1",
        **more,
    }


def hosts(addresses: tuple[str, ...]) -> list[str]:
    return [address.partition(":")[0] for address in addresses]


def test_the_step_comes_before_its_job():
    found = find(Shape(), slurm(2, SLURM_NODEID="1"))
    assert str(found.task) == "worker:2"
    assert hosts(found.cluster.worker) == ["n2", "n2", "n3"]
    assert len(set(found.cluster.worker)) == 3, "tasks of one machine have ports of their own"
    assert found.source == "Slurm's step 7.1"
    assert json.loads(found.tf_config)["cluster"] == found.cluster.jobs()


def test_all_tasks_of_a_step_find_the_same_cluster():
    assert len({find(Shape(), slurm(rank)).cluster for rank in range(3)}) == 1
    assert find(Shape(), slurm(0)).cluster != find(Shape(), slurm(0, SLURM_STEP_ID="2")).cluster


def test_cyclic_distribution():
    found = find(Shape(), slurm(1, SLURM_DISTRIBUTION="cyclic", SLURM_NODEID="1"))
    assert hosts(found.cluster.worker) == ["n2", "n3", "n2"]


def test_a_distribution_that_is_not_understood_is_noticed():
    with pytest.raises(BadCluster, match="is on node 0, but was expected on node"):
        find(Shape(), slurm(2, SLURM_DISTRIBUTION="plane=1", SLURM_NODEID="0"))


def test_roles_by_their_number():
    shape = Shape(chief=True, ps=1)
    tasks = [find(shape, slurm(rank)).task for rank in range(3)]
    assert list(map(str, tasks)) == ["chief:0", "worker:0", "ps:0"]
    with pytest.raises(BadCluster, match=r"Slurm's step 7\.1 has 3 tasks, but at least 1 workers"):
        find(Shape(ps=3), slurm(0))
    with pytest.raises(BadCluster, match="has 3 tasks, but 1 workers and 0 others were requested"):
        find(Shape(workers=1), slurm(0))


def test_reserved_ports_and_a_port_that_was_asked_for():
    reserved = slurm(0, SLURM_STEP_RESV_PORTS="12000-12001")
    assert find(Shape(), reserved).cluster.worker == ("n2:12000", "n2:12001", "n3:12000")
    assert find(Shape(port=4000), reserved).cluster.worker[1] == "n2:4001"


def test_outside_of_a_step():
    job = {k: v for k, v in slurm(0).items() if "STEP" not in k}
    with pytest.raises(BadCluster, match="script of Slurm's job 7, which runs once") as error:
        find(Shape(), job)
    assert "srun" in error.value.remedy
    del job["SLURM_PROCID"]
    with pytest.raises(BadCluster, match="SLURM_PROCID is not set"):
        find(Shape(), job)
    # A task that is started without srun has only the job's variables.
    found = find(Shape(), {**job, "SLURM_PROCID": "3"})
    assert hosts(found.cluster.worker) == [f"n{i}" for i in (1, 1, 2, 2, 3, 3, 4, 4)]


def test_sky_pilot_and_dstack():
    sky = {"SKYPILOT_NODE_RANK": "1", "SKYPILOT_NODE_IPS": "10.0.0.1\n10.0.0.2\n"}
    found = find(Shape(), sky)
    assert found.cluster.worker == ("10.0.0.1:2222", "10.0.0.2:2222")
    assert str(found.task) == "worker:1"
    dstack = {"DSTACK_NODE_RANK": "0", "DSTACK_NODES_IPS": "fd00::1\nfd00::2"}
    assert find(Shape(), dstack).cluster.worker == ("[fd00::1]:2222", "[fd00::2]:2222")
    with pytest.raises(BadCluster, match="this is task 2, but there are only 2, numbered"):
        find(Shape(), {**sky, "SKYPILOT_NODE_RANK": "2"})


def test_an_indexed_job():
    env = {"JOB_COMPLETION_INDEX": "1", "HOSTNAME": "digits-1", "MWTUTOR_SERVICE": "digits"}
    found = find(Shape(workers=1, chief=True), env)
    assert found.cluster.jobs() == {"chief": ["digits-0.digits:2222"],
                                    "worker": ["digits-1.digits:2222"]}  # fmt: skip
    assert str(found.task) == "worker:0"
    with pytest.raises(BadCluster, match="does not say how many"):
        find(Shape(), env)
    with pytest.raises(BadCluster, match=r"does not end in -1\."):
        find(Shape(workers=2), {**env, "HOSTNAME": "mine"})
    with pytest.raises(BadCluster, match="this is task 1, but there are only 1"):
        find(Shape(workers=1), env)


def test_a_job_set():
    env = {"JOBSET_NAME": "digits", "REPLICATED_JOB_NAME": "ps", "JOB_COMPLETION_INDEX": "0"}
    found = find(Shape(workers=2, chief=True, ps=1, evaluator=True), env)
    assert str(found.task) == "ps:0"
    assert found.cluster.worker[1] == "digits-worker-0-1.digits:2222"
    assert found.cluster.evaluator == ("digits-evaluator-0-0.digits:2222",)
    with pytest.raises(BadCluster, match="ps:0 of the JobSet digits, which has no such task"):
        find(Shape(workers=2), env)
    with pytest.raises(BadCluster, match="'leader' of this JobSet is not a task type"):
        find(Shape(workers=2), {**env, "REPLICATED_JOB_NAME": "leader"})


def test_a_tf_config_comes_first_and_stays_as_it_is():
    task = '{"type": "worker", "index": 0}'
    text = f'{{"cluster": {{"worker": ["a:1"]}}, "task": {task}, "environment": "cloud"}}'
    found = find(Shape(), {**slurm(0), "TF_CONFIG": text})
    assert found.tf_config == text
    with pytest.raises(BadInput, match="already says which task this is"):
        find(Shape(ps=1), {"TF_CONFIG": text})
    with pytest.raises(BadCluster, match="TF_CONFIG is not JSON"):
        find(Shape(), {"TF_CONFIG": "{"})


def test_nothing_was_found():
    with pytest.raises(BadCluster, match="No environment variable says") as error:
        find(Shape(), {"HOME": "/"})
    for variable in ("TF_CONFIG", "SLURM_JOB_ID", "JOB_COMPLETION_INDEX", "SKYPILOT_NODE_RANK"):
        assert variable in error.value.problem


def test_in_python(monkeypatch):
    monkeypatch.delenv("TF_CONFIG", raising=False)
    for name, value in slurm(1).items():
        monkeypatch.setenv(name, value)
    assert str(mwtutor.cluster_from_env(2, chief=True).task) == "worker:0"
    with pytest.raises(BadInput, match="--ps cannot be 'x'"):
        mwtutor.cluster_from_env(ps="x")


def test_ports_that_there_are_not_are_refused():
    with pytest.raises(BadCluster, match="'70000-70001', not a list of ports"):
        find(Shape(), slurm(0, SLURM_STEP_RESV_PORTS="70000-70001"))


NOT_NUMBERS = ["x", "²", "٣", "-1", "9" * 5000]


@pytest.mark.parametrize("text", NOT_NUMBERS)
@pytest.mark.parametrize(
    "name", ["SLURM_PROCID", "SLURM_NODEID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_RESV_PORTS"]
)
def test_what_is_not_a_number_of_slurms_is_said(name, text):
    with pytest.raises(BadCluster, match=rf"{name} is|is not a list of hosts|{name}"):
        find(Shape(), slurm(0, **{name: text}))


@pytest.mark.parametrize("text", NOT_NUMBERS)
def test_a_job_without_a_number_has_the_same_ports_on_every_task(text):
    found = {find(Shape(), slurm(rank, SLURM_JOB_ID=text)).cluster for rank in range(3)}
    assert len(found) == 1
