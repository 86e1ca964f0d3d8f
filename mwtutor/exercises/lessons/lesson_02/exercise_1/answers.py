# == right: JSON text for each
cluster = {
    "chief": ["10.0.0.1:2222"],
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "ps": ["10.0.0.4:2222"],
}
import json

configs = {}
for job, tasks in {**cluster, "evaluator": ["10.0.0.5:2222"]}.items():
    for i, a in enumerate(tasks):
        configs[a] = json.dumps({"cluster": cluster, "task": {"type": job, "index": i}})


# == right: an OrderedDict, and tuples of addresses
cluster = {
    "chief": ["10.0.0.1:2222"],
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "ps": ["10.0.0.4:2222"],
}
from collections import OrderedDict

configs = OrderedDict(
    (a, dict(cluster={k: tuple(v) for k, v in cluster.items()}, task=dict(type=j, index=i)))
    for a, j, i in [
        ("10.0.0.1:2222", "chief", 0),
        ("10.0.0.2:2222", "worker", 0),
        ("10.0.0.3:2222", "worker", 1),
        ("10.0.0.4:2222", "ps", 0),
        ("10.0.0.5:2222", "evaluator", 0),
    ]
)


# == right: the evaluator's cluster has the evaluator
cluster = {
    "chief": ["10.0.0.1:2222"],
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "ps": ["10.0.0.4:2222"],
}
configs = {
    a: {
        "cluster": cluster if j != "evaluator" else {**cluster, "evaluator": [a]},
        "task": {"type": j, "index": i},
    }
    for a, j, i in [
        ("10.0.0.1:2222", "chief", 0),
        ("10.0.0.2:2222", "worker", 0),
        ("10.0.0.3:2222", "worker", 1),
        ("10.0.0.4:2222", "ps", 0),
        ("10.0.0.5:2222", "evaluator", 0),
    ]
}


# == wrong: the evaluator has no configuration
cluster = {
    "chief": ["10.0.0.1:2222"],
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "ps": ["10.0.0.4:2222"],
}
configs = {
    a: {"cluster": cluster, "task": {"type": j, "index": i}}
    for a, j, i in [
        ("10.0.0.1:2222", "chief", 0),
        ("10.0.0.2:2222", "worker", 0),
        ("10.0.0.3:2222", "worker", 1),
        ("10.0.0.4:2222", "ps", 0),
    ]
}


# == wrong: the workers' indices are exchanged
cluster = {
    "chief": ["10.0.0.1:2222"],
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "ps": ["10.0.0.4:2222"],
}
configs = {
    a: {"cluster": cluster, "task": {"type": j, "index": i}}
    for a, j, i in [
        ("10.0.0.1:2222", "chief", 0),
        ("10.0.0.2:2222", "worker", 1),
        ("10.0.0.3:2222", "worker", 0),
        ("10.0.0.4:2222", "ps", 0),
        ("10.0.0.5:2222", "evaluator", 0),
    ]
}


# == wrong: the indices are text
cluster = {
    "chief": ["10.0.0.1:2222"],
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "ps": ["10.0.0.4:2222"],
}
configs = {
    a: {"cluster": cluster, "task": {"type": j, "index": str(i)}}
    for a, j, i in [
        ("10.0.0.1:2222", "chief", 0),
        ("10.0.0.2:2222", "worker", 0),
        ("10.0.0.3:2222", "worker", 1),
        ("10.0.0.4:2222", "ps", 0),
        ("10.0.0.5:2222", "evaluator", 0),
    ]
}


# == wrong: no configuration has a task
cluster = {
    "chief": ["10.0.0.1:2222"],
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "ps": ["10.0.0.4:2222"],
}
configs = {
    a: {"cluster": cluster}
    for a in ["10.0.0.1:2222", "10.0.0.2:2222", "10.0.0.3:2222", "10.0.0.4:2222", "10.0.0.5:2222"]
}


# == wrong: the cluster has no parameter server
cluster = {
    "chief": ["10.0.0.1:2222"],
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "ps": ["10.0.0.4:2222"],
}
c2 = {k: v for k, v in cluster.items() if k != "ps"}
configs = {
    a: {"cluster": c2, "task": {"type": j, "index": i}}
    for a, j, i in [
        ("10.0.0.1:2222", "chief", 0),
        ("10.0.0.2:2222", "worker", 0),
        ("10.0.0.3:2222", "worker", 1),
        ("10.0.0.4:2222", "ps", 0),
        ("10.0.0.5:2222", "evaluator", 0),
    ]
}


# == wrong: the chief is worker 0
cluster = {
    "chief": ["10.0.0.1:2222"],
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "ps": ["10.0.0.4:2222"],
}
configs = {
    a: {"cluster": cluster, "task": {"type": j, "index": i}}
    for a, j, i in [
        ("10.0.0.1:2222", "worker", 0),
        ("10.0.0.2:2222", "worker", 1),
        ("10.0.0.3:2222", "worker", 2),
        ("10.0.0.4:2222", "ps", 0),
        ("10.0.0.5:2222", "evaluator", 0),
    ]
}


# == wrong: a list of one configuration
cluster = {
    "chief": ["10.0.0.1:2222"],
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "ps": ["10.0.0.4:2222"],
}
configs = [{"cluster": cluster, "task": {"type": "chief", "index": 0}}]


# == wrong: the addresses in the cluster have no port
cluster = {"chief": ["10.0.0.1"], "worker": ["10.0.0.2", "10.0.0.3"], "ps": ["10.0.0.4"]}
configs = {
    a + ":2222": {"cluster": cluster, "task": {"type": j, "index": i}}
    for a, j, i in [
        ("10.0.0.1", "chief", 0),
        ("10.0.0.2", "worker", 0),
        ("10.0.0.3", "worker", 1),
        ("10.0.0.4", "ps", 0),
        ("10.0.0.5", "evaluator", 0),
    ]
}
