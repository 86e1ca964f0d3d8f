# misconception: the evaluator waits for the chief's steps
# says: In your answer, the evaluator serves, but the chief never sends it a step.


def branch(told):
    return "coordinate" if told["task"]["type"] == "chief" else "serve"
