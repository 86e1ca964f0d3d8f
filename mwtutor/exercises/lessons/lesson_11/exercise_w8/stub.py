def branch(told):
    """Which function a task calls: "coordinate", "evaluate" or "serve".

    told: what its `TF_CONFIG` contains, {"cluster": {...}, "task": {"type": "ps", "index": 0}}
    """
    return None
