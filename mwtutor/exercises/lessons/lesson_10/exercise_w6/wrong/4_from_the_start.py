# misconception: the limit counts from the start
# says: In your answer, the limit counts from the first heartbeat, not from the latest.


def declared_dead(heartbeats, limit):
    late = heartbeats[-1] - heartbeats[0] > limit
    return heartbeats[0] + limit if late else None
