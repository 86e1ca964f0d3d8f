# misconception: short pauses add up
# says: The pauses were added up, but each heartbeat ends one.


def declared_dead(heartbeats, limit):
    missing, before = 0.0, heartbeats[0]
    for after in heartbeats:
        missing += max(0.0, after - before - 1.0)
        if missing > limit:
            return after
        before = after
    return None
