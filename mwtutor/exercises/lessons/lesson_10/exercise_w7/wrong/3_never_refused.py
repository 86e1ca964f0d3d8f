# misconception: TensorFlow replaces NCCL in every case
# says: A launch with NCCL and without GPUs is not refused in your answer.


def what_runs(program, launch, gpus):
    chosen = program or launch
    return chosen if gpus else "RING"
