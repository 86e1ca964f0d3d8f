# misconception: what the program requests runs
# says: Without GPUs, the program's NCCL ran in your answer, but TensorFlow replaces it.


def what_runs(program, launch, gpus):
    if launch == "NCCL" and not gpus:
        return "refused"
    return program or launch
