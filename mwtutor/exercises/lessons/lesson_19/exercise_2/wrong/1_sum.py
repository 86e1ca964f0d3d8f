# misconception: a sum of different numbers is different
# says: worker 0 in epoch 1 and


def seed_for(experiment, worker, epoch):
    return experiment * 1_000_000 + worker + epoch
