# == right: conditions
def branch(told):
    if told["task"]["type"] == "chief":
        return "coordinate"
    return "evaluate" if told["task"]["type"] == "evaluator" else "serve"


# == right: pattern matching
def branch(told):
    match told["task"]["type"]:
        case "chief":
            return "coordinate"
        case "evaluator":
            return "evaluate"
        case _:
            return "serve"


# == right: all four jobs
def branch(told):
    return dict(chief="coordinate", evaluator="evaluate", worker="serve", ps="serve")[
        told["task"]["type"]
    ]


# == wrong: serve
def branch(told):
    return "serve"


# == wrong: coordinate
def branch(told):
    return "coordinate"


# == wrong: the job
def branch(told):
    return told["task"]["type"]


# == wrong: the first worker too
def branch(told):
    job, index = told["task"]["type"], told["task"]["index"]
    if job == "chief" or (job == "worker" and index == 0):
        return "coordinate"
    return "evaluate" if job == "evaluator" else "serve"


# == wrong: nothing for servers
def branch(told):
    return {"chief": "coordinate", "evaluator": "evaluate", "worker": "serve"}.get(
        told["task"]["type"]
    )


# == wrong: swapped
def branch(told):
    return {"chief": "evaluate", "evaluator": "coordinate"}.get(told["task"]["type"], "serve")
