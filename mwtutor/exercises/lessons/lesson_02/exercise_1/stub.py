configs = {}  # address: {"cluster": ..., "task": ...}
