# misconception: without the chief, everything is lost
# says: In your answer, all updates are lost, although there were checkpoints.


def cost(job, updates, saved_every, tasks):
    return (0, 1) if job == "worker" else (updates, tasks)
