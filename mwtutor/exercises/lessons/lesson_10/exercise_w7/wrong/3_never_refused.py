# misconception: TensorFlow replaces NCCL in every case
# says: In your answer, a launch with NCCL and without GPUs is not refused.


def what_runs(program, launch, gpus):
    chosen = program or launch
    return chosen if gpus else "RING"
