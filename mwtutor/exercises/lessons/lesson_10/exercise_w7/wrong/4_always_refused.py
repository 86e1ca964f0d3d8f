# misconception: NCCL without GPUs is always refused
# says: In your answer, a program that requests NCCL without GPUs is refused, but it runs with RING.


def what_runs(program, launch, gpus):
    chosen = program or launch
    if not gpus and "NCCL" in (program, launch):
        return "refused"
    return chosen
