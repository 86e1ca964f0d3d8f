# misconception: a process without a cluster is not a chief
# says: In your answer, a process without a cluster is not a chief, so nobody saves.


def is_chief(told):
    if not told:
        return False
    task = told["task"]
    if "chief" in told["cluster"]:
        return task["type"] == "chief"
    return task["type"] == "worker" and task["index"] == 0
