# misconception: the workers evaluate
# says: Workers evaluate in your answer, instead of waiting for steps.


def branch(told):
    return {"chief": "coordinate", "ps": "serve"}.get(told["task"]["type"], "evaluate")
