def in_danger(directories):
    """The runs, sorted, whose workers do not all use one and the same directory, or that use a
    directory of another run.

    Returns a sorted list of runs.

    directories: {"run-a": {"worker:0": ("disk-0", "backup"), "worker:1": ...}, "run-b": ...}: each
    worker's disk, and the path on it. Only disk and path together say which directory it is.
    """
    return None
