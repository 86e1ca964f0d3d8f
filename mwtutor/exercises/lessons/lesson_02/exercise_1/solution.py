cluster = {
    "chief": ["10.0.0.1:2222"],
    "worker": ["10.0.0.2:2222", "10.0.0.3:2222"],
    "ps": ["10.0.0.4:2222"],
}
tasks = {
    "10.0.0.1:2222": {"type": "chief", "index": 0},
    "10.0.0.2:2222": {"type": "worker", "index": 0},
    "10.0.0.3:2222": {"type": "worker", "index": 1},
    "10.0.0.4:2222": {"type": "ps", "index": 0},
    "10.0.0.5:2222": {"type": "evaluator", "index": 0},
}
configs = {address: {"cluster": cluster, "task": task} for address, task in tasks.items()}
