def in_files(parts, saving):
    """What each file contains when the tasks in `saving` write a counter (`ON_READ`, `SUM`).

    parts: each worker's part, for example {"worker:0": 100, "worker:1": 101}

    Returns a dictionary: the number in the file of each task in `saving`; {} if they only wait.
    """
    return None
