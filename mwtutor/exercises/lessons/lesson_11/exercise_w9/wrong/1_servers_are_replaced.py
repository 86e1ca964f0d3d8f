# misconception: a new parameter server replaces a lost one
# says: In your answer, a lost parameter server is replaced, as if nothing had been in its memory.


def cost(job, updates, saved_every, tasks):
    return (updates % saved_every, tasks) if job == "chief" else (0, 1)
