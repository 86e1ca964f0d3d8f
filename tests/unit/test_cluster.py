"""Clusters as values: exact JSON output, and errors that name the key of wrong input."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mwtutor.cluster import ClusterSize, ClusterSpec, TaskId, parse_tf_config
from mwtutor.exceptions import BadCluster

CLUSTER = ClusterSpec(chief=("h:1",), worker=("h:2", "h:3"), ps=("h:4",), evaluator=("h:5",))


PEERS = '"chief": ["h:1"], "worker": ["h:2", "h:3"], "ps": ["h:4"]'


@pytest.mark.parametrize(
    ("task", "expected"),
    [
        ("worker:1", f'{{"cluster": {{{PEERS}}}, "task": {{"type": "worker", "index": 1}}}}'),
        (
            "evaluator:0",
            f'{{"cluster": {{{PEERS}, "evaluator": ["h:5"]}}, '
            '"task": {"type": "evaluator", "index": 0}}',
        ),
    ],
)
def test_golden_tf_config(task, expected):
    assert CLUSTER.tf_config(TaskId.parse(task)) == expected


def test_what_goes_out_comes_in_again():
    for task in CLUSTER.tasks():
        cluster, me = parse_tf_config(CLUSTER.tf_config(task))
        assert me == task
        assert cluster.jobs() == CLUSTER.jobs()


def test_counts_become_addresses_in_the_order_of_the_task_types():
    spec = ClusterSize(2, chief=True, ps=1, evaluator=True).at([f"h:{n}" for n in range(1, 6)])
    assert spec == CLUSTER
    assert [str(task) for task in spec.peers()] == ["chief:0", "worker:0", "worker:1", "ps:0"]


@pytest.mark.parametrize(
    ("size", "words"),
    [
        ({"workers": 0}, "0 workers"),
        ({"workers": -1}, "-1 workers"),
        ({"workers": 0, "ps": 1}, "parameter servers only serve"),
        ({"workers": 1, "ps": -1}, "-1 is not a valid number of parameter servers"),
        ({"workers": 10**9}, "at most 512 tasks, not 1000000000"),
    ],
)
def test_impossible_sizes(size, words):
    with pytest.raises(BadCluster, match=words) as raised:
        ClusterSize(**size)
    assert raised.value.remedy


GOOD = {"cluster": {"worker": ["a:1", "b:2"]}, "task": {"type": "worker", "index": 0}}


@pytest.mark.parametrize(
    ("change", "key"),
    [
        (lambda c: c.pop("cluster"), "cluster must be a JSON object"),
        (lambda c: c.pop("task"), "task must be a JSON object"),
        (lambda c: c["cluster"].update(worker="a:1"), "cluster.worker must be a list"),
        (lambda c: c["cluster"].update(worker=["a:1", "b"]), r"cluster.worker\[1\]"),
        (lambda c: c["cluster"].update(worker=["a:1", "a:1"]), "same address"),
        (lambda c: c["cluster"].update(worker=["a:0"]), r"cluster.worker\[0\]"),
        (lambda c: c["cluster"].update(worker=["a:65536"]), r"cluster.worker\[0\]"),
        (lambda c: c["cluster"].update(worker=[1]), r"cluster.worker\[0\]"),
        (lambda c: c["cluster"].update(chief=["c:1", "d:1"]), "at most one chief"),
        (lambda c: c["cluster"].update(boss=["c:1"]), "'boss' is not a job"),
        (lambda c: c["task"].update(type="boss"), "task.type must be one of"),
        (lambda c: c["task"].update(index=2), "task.index must be below 2"),
        (lambda c: c["task"].update(index=-1), "task.index must be a whole number"),
        (lambda c: c["task"].update(index="0"), "task.index must be a whole number"),
        (lambda c: c["task"].update(index=True), "task.index must be a whole number"),
    ],
)
def test_a_bad_tf_config_names_the_key(change, key):
    config = json.loads(json.dumps(GOOD))
    change(config)
    with pytest.raises(BadCluster, match=key) as raised:
        parse_tf_config(json.dumps(config))
    assert raised.value.remedy


@pytest.mark.parametrize("text", ["", "{", "[]", "3", "null", "[" * 10000])
def test_what_is_not_a_tf_config_at_all(text):
    with pytest.raises(BadCluster, match="TF_CONFIG"):
        parse_tf_config(text)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
LIKELY = st.fixed_dictionaries(
    {},
    optional={
        "cluster": JSON | st.dictionaries(st.sampled_from(["worker", "chief", "ps", "x"]), JSON),
        "task": JSON | st.fixed_dictionaries({"type": JSON, "index": JSON}),
    },
)


@given(st.text() | LIKELY.map(json.dumps) | JSON.map(json.dumps))
def test_any_text_is_parsed_or_refused(text):
    try:
        spec, task = parse_tf_config(text)
    except BadCluster as error:
        assert error.problem
        assert error.remedy
    else:
        assert task.type == "evaluator" or task in spec.tasks()


def test_a_task_whose_index_was_left_out_is_no_task():
    with pytest.raises(BadCluster, match="'worker:' is not a task: its index is not a whole"):
        TaskId.parse("worker:")
    assert TaskId.parse("chief") == TaskId("chief", 0)


@given(st.text())
def test_any_text_is_a_task_or_refused(text):
    try:
        task = TaskId.parse(text)
    except BadCluster:
        return
    assert TaskId.parse(str(task)) == task


@pytest.mark.parametrize(
    ("size", "deciders", "driven"),
    [
        (ClusterSize(2), "worker:0 worker:1", ""),
        (ClusterSize(1, chief=True), "chief:0", ""),
        (ClusterSize(2, chief=True, evaluator=True), "chief:0", ""),
        (ClusterSize(2, ps=1), "worker:0 worker:1", ""),
        (ClusterSize(2, chief=True, ps=1), "chief:0", "worker:0 worker:1"),
        (ClusterSize(1, chief=True, ps=2, evaluator=True), "chief:0", "worker:0"),
    ],
)
def test_who_trains_who_decides_and_who_is_driven(size, deciders, driven):
    cluster = size.at([f"h:{port + 1}" for port in range(size.tasks)])
    assert " ".join(map(str, cluster.deciders)) == deciders
    assert " ".join(map(str, cluster.driven)) == driven
    others = {task for task in cluster.tasks() if task.type in ("ps", "evaluator")}
    assert set(cluster.trainers) == set(cluster.tasks()) - others
