# misconception: the workers evaluate
# says: In your answer, workers evaluate, instead of waiting for steps.


def branch(told):
    return {"chief": "coordinate", "ps": "serve"}.get(told["task"]["type"], "evaluate")
