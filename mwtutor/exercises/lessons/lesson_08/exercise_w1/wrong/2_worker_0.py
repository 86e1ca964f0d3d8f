# misconception: worker 0 is always the chief
# says: In your answer, worker 0 is the chief even where there is a job `chief`.


def is_chief(told):
    task = told.get("task", {"type": "worker", "index": 0})
    return (task["type"], task["index"]) == ("worker", 0)
