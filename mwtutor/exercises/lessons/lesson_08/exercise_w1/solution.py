def is_chief(told):
    if not told:
        return True
    task = told["task"]
    if "chief" in told["cluster"]:
        return task["type"] == "chief"
    return task["type"] == "worker" and task["index"] == 0
