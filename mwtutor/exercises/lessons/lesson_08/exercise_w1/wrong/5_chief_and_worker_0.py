# misconception: the job chief has a chief, and so have the workers
# says: In your answer, worker 0 is a second chief in a cluster with a job `chief`.


def is_chief(told):
    task = told.get("task", {"type": "chief", "index": 0})
    return (task["type"], task["index"]) in (("chief", 0), ("worker", 0))
