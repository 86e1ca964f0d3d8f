# misconception: a task is declared dead when its next heartbeat is late
# says: This is when the next heartbeat arrives, but the task is declared dead before that.


def declared_dead(heartbeats, limit):
    before = heartbeats[0]
    for after in heartbeats:
        if after - before > limit:
            return after
        before = after
    return None
