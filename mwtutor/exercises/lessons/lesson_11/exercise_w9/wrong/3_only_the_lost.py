# misconception: only the lost task is restarted
# says: In your answer, only the lost task is restarted, even if variables or the program are gone.


def cost(job, updates, saved_every, tasks):
    return (0 if job == "worker" else updates % saved_every), 1
