# misconception: the launch overrules the program
# says: In your answer, the launch's choice counts, although the program has its own.


def what_runs(program, launch, gpus):
    if launch == "NCCL" and not gpus:
        return "refused"
    chosen = launch or program
    return chosen if gpus else "RING"
