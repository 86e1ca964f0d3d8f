def seed_for(experiment, worker, epoch):
    return (experiment * 100_000 + epoch) * 64 + worker
