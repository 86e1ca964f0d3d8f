# misconception: the experiment makes no difference
# says: and experiment 0, worker 0 in epoch 0


def seed_for(experiment, worker, epoch):
    return epoch * 64 + worker
