# misconception: a thousand is more than enough epochs
# says: in epoch 1000


def seed_for(experiment, worker, epoch):
    return (experiment * 64 + worker) * 1000 + epoch
