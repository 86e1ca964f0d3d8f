# misconception: the limit counts from the start
# says: The limit counts from the first heartbeat in your answer, not from the latest.


def declared_dead(heartbeats, limit):
    late = heartbeats[-1] - heartbeats[0] > limit
    return heartbeats[0] + limit if late else None
