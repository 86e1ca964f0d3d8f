# misconception: without a job chief, task 0 is the chief
# says: In your answer, every task with the index 0 is a chief if there is no job `chief`.


def is_chief(told):
    if "chief" in told.get("cluster", {}):
        return told["task"]["type"] == "chief"
    return not told or told["task"]["index"] == 0
