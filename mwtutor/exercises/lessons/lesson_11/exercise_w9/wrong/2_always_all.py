# misconception: any lost task stops the training
# says: A lost worker restarts everything in your answer, as with mirrored workers.


def cost(job, updates, saved_every, tasks):
    return updates % saved_every, tasks
