# == wrong: a constant
def cluster(hosts, workers):
    return {"chief": ["a:1"], "worker": ["b:1", "c:1"], "ps": ["d:1"]}


# == wrong: one case only
def cluster(hosts, workers):
    if (
        hosts,
        workers,
    ) == (
        ["a:1", "b:1", "c:1", "d:1"],
        2,
    ):
        return {"chief": ["a:1"], "worker": ["b:1", "c:1"], "ps": ["d:1"]}
    return 0


# == wrong: ignores workers
def _of(hosts, workers):
    first, rest = hosts[:1], hosts[1:]
    return {"chief": first, "worker": rest[:workers], "ps": rest[workers:]}


def cluster(hosts, workers):
    workers = 2
    return _of(hosts, workers)


# == right: tuples
def cluster(hosts, workers):
    return {
        "chief": (hosts[0],),
        "worker": tuple(hosts[1 : workers + 1]),
        "ps": tuple(hosts[workers + 1 :]),
    }


# == right: an iterator
import itertools
from itertools import islice


def cluster(hosts, workers):
    left = iter(hosts)
    return {
        job: list(islice(left, most))
        for job, most in (("chief", 1), ("worker", workers), ("ps", None))
    }


# == right: indices
def cluster(hosts, workers):
    found = {"chief": [], "worker": [], "ps": []}
    for at, host in enumerate(hosts):
        found["chief" if at == 0 else "worker" if at <= workers else "ps"].append(host)
    return found


# == wrong: a chief that is not a list
def cluster(hosts, workers):
    return {"chief": hosts[0], "worker": hosts[1 : 1 + workers], "ps": hosts[1 + workers :]}


# == wrong: an old name
def cluster(hosts, workers):
    return {"master": hosts[:1], "worker": hosts[1 : 1 + workers], "ps": hosts[1 + workers :]}


# == wrong: one host too few
def cluster(hosts, workers):
    return {"chief": hosts[:1], "worker": hosts[1 : 1 + workers], "ps": hosts[2 + workers :]}


# == wrong: swapped jobs
def cluster(hosts, workers):
    return {"chief": hosts[:1], "ps": hosts[1 : 1 + workers], "worker": hosts[1 + workers :]}
