# misconception: any lost task stops the training
# says: In your answer, a lost worker restarts everything, as with mirrored workers.


def cost(job, updates, saved_every, tasks):
    return updates % saved_every, tasks
