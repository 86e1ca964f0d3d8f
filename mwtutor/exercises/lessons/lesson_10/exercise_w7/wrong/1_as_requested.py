# misconception: what the program requests runs
# says: In your answer, the program's NCCL runs without GPUs, but TensorFlow replaces it.


def what_runs(program, launch, gpus):
    if launch == "NCCL" and not gpus:
        return "refused"
    return program or launch
