def cost(job, updates, saved_every, tasks):
    """The updates lost and the tasks restarted when a task of this job is lost.

    A checkpoint follows every `saved_every` updates; the cluster has `tasks` tasks.

    Returns (updates lost, tasks restarted). job: chief, worker or ps
    """
    return None
