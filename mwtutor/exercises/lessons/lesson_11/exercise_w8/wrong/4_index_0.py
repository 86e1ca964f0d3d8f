# misconception: task 0 coordinates
# says: In your answer, each task with the index 0 coordinates, in every job.


def branch(told):
    if told["task"]["index"] == 0:
        return "coordinate"
    return "evaluate" if told["task"]["type"] == "evaluator" else "serve"
