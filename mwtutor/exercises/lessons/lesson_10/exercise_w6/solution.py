def declared_dead(heartbeats, limit):
    before = heartbeats[0]
    for after in heartbeats:
        if after - before > limit:
            return before + limit
        before = after
    return None
