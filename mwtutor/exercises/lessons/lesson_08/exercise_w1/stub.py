def is_chief(told):
    """Whether this task is the chief.

    told: what `TF_CONFIG` contains, {} without a cluster. For example
    {"cluster": {"worker": ["a:1", "b:1"]}, "task": {"type": "worker", "index": 1}}
    """
    return None
