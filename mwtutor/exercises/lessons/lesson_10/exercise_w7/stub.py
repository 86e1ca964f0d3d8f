def what_runs(program, launch, gpus):
    """What runs: "RING", "NCCL", or "refused" if the launch is refused before anything starts.

    program, launch: their choices, or None; at least one of them chooses
    gpus: whether every replica has its own GPU
    """
    return None
