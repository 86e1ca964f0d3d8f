# misconception: any lost task stops the training
# says: A lost worker restarts everything here, as with mirrored workers.


def cost(job, updates, saved_every, tasks):
    return updates % saved_every, tasks
