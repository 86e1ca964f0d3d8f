# misconception: without the chief, everything is lost
# says: All updates are lost in your answer, although there were checkpoints.


def cost(job, updates, saved_every, tasks):
    return (0, 1) if job == "worker" else (updates, tasks)
