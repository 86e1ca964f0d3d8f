# misconception: the launch overrules the program
# says: The launch's choice counts in your answer, although the program has its own.


def what_runs(program, launch, gpus):
    if launch == "NCCL" and not gpus:
        return "refused"
    chosen = launch or program
    return chosen if gpus else "RING"
