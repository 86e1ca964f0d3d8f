# misconception: a task's cluster is the task itself
# says: `cluster` is the same for every task

order = [("chief", 0), ("worker", 0), ("worker", 1), ("ps", 0), ("evaluator", 0)]
configs = {
    f"10.0.0.{n}:2222": {
        "cluster": {job: [f"10.0.0.{n}:2222"]} if job != "evaluator" else {},
        "task": {"type": job, "index": index},
    }
    for n, (job, index) in enumerate(order, 1)
}
