# misconception: a job may have any name
# says: which TensorFlow does not know

cluster = {
    "chief": ["10.0.0.1:2222"],
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "parameter_server": ["10.0.0.4:2222"],
}
order = [("chief", 0), ("worker", 0), ("worker", 1), ("parameter_server", 0), ("evaluator", 0)]
configs = {
    f"10.0.0.{n}:2222": {"cluster": cluster, "task": {"type": job, "index": index}}
    for n, (job, index) in enumerate(order, 1)
}
