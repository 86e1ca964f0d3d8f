# misconception: the chief is worker 0, so the workers are 1 and 2
# says: Each job counts from 0

cluster = {
    "chief": ["10.0.0.1:2222"],
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "ps": ["10.0.0.4:2222"],
}
order = [("chief", 0), ("worker", 1), ("worker", 2), ("ps", 3), ("evaluator", 4)]
configs = {
    f"10.0.0.{n}:2222": {"cluster": cluster, "task": {"type": job, "index": index}}
    for n, (job, index) in enumerate(order, 1)
}
