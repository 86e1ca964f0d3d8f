# misconception: workers execute the training program
# says: In your answer, workers coordinate, as if each had to execute the program itself.


def branch(told):
    branches = {"ps": "serve", "evaluator": "evaluate"}
    return branches.get(told["task"]["type"], "coordinate")
