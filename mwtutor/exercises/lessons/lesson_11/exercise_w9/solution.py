def cost(job, updates, saved_every, tasks):
    if job == "worker":
        return 0, 1
    return updates % saved_every, tasks
