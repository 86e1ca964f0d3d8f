# misconception: workers execute the training program
# says: Workers coordinate in your answer, as if each had to execute the program itself.


def branch(told):
    branches = {"ps": "serve", "evaluator": "evaluate"}
    return branches.get(told["task"]["type"], "coordinate")
