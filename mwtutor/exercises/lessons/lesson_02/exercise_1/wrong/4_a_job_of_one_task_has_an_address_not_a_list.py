# misconception: a job of one task has an address, not a list
# says: A job of one task has a list of one address

cluster = {
    "chief": "10.0.0.1:2222",
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "ps": "10.0.0.4:2222",
}
order = [("chief", 0), ("worker", 0), ("worker", 1), ("ps", 0), ("evaluator", 0)]
configs = {
    f"10.0.0.{n}:2222": {"cluster": cluster, "task": {"type": job, "index": index}}
    for n, (job, index) in enumerate(order, 1)
}
