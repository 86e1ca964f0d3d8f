# misconception: the program's choice makes the launch's irrelevant
# says: A launch with NCCL and without GPUs is refused, even if the program chooses something else.


def what_runs(program, launch, gpus):
    if launch == "NCCL" and not gpus and program is None:
        return "refused"
    chosen = program or launch
    return chosen if gpus else "RING"
