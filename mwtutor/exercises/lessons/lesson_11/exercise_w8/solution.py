def branch(told):
    job = told["task"]["type"]
    branches = {"chief": "coordinate", "evaluator": "evaluate"}
    return branches.get(job, "serve")
