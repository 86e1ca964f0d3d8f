# == right: NumPy's numbers
import numpy as np


def _of(told):
    if not told:
        return True
    task = told["task"]
    if "chief" in told["cluster"]:
        return task["type"] == "chief"
    return task["type"] == "worker" and task["index"] == 0


def is_chief(told):
    return np.asarray(_of(told))[()]


# == right: a comparison of pairs
def is_chief(told):
    jobs = told.get("cluster", {})
    me = told.get("task", {})
    first = "chief" if "chief" in jobs else "worker"
    return not jobs or (me["type"], me["index"]) == (first, 0)


# == right: numbers instead of truth values
def is_chief(told):
    if "task" not in told:
        return 1
    job, index = told["task"]["type"], told["task"]["index"]
    return int(index == 0 and job == sorted(set(told["cluster"]) & {"chief", "worker"})[0])


# == wrong: always
def is_chief(told):
    return True


# == wrong: never
def is_chief(told):
    return False


# == wrong: by the number of jobs
def is_chief(told):
    return len(told.get("cluster", {})) < 2 and told.get("task", {"index": 0})["index"] == 0


# == wrong: the evaluator too
def is_chief(told):
    if not told:
        return True
    task = told["task"]
    if "chief" in told["cluster"]:
        return task["type"] in ("chief", "evaluator")
    return task["index"] == 0 and task["type"] != "ps"


# == wrong: the last worker
def is_chief(told):
    if not told:
        return True
    task, jobs = told["task"], told["cluster"]
    if "chief" in jobs:
        return task["type"] == "chief"
    return task["type"] == "worker" and task["index"] == len(jobs["worker"]) - 1


# == wrong: the name of the job only
def is_chief(told):
    return not told or told["task"]["type"] in ("chief", "worker")
