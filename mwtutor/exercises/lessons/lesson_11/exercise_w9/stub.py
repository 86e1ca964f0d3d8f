def cost(job, updates, saved_every, tasks):
    """What it costs to lose a task of this job after `updates` updates of the model.

    A checkpoint follows every `saved_every` updates; the cluster has `tasks` tasks.

    Returns (updates lost, tasks restarted). job: chief, worker or ps
    """
    return None
