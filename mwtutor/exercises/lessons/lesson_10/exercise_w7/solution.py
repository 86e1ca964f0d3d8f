def what_runs(program, launch, gpus):
    if launch == "NCCL" and not gpus:
        return "refused"
    chosen = program or launch
    return chosen if gpus else "RING"
