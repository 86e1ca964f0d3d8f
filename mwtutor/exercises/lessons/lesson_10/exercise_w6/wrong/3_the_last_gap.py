# misconception: the last pause counts
# says: This is the last pause that was too long: the task was declared dead after the first.


def declared_dead(heartbeats, limit):
    before, dead = heartbeats[0], None
    for after in heartbeats:
        dead = before + limit if after - before > limit else dead
        before = after
    return dead
