def declared_dead(heartbeats, limit):
    """When a task is declared dead: as soon as no heartbeat has arrived for more than `limit`
    seconds. None if that never happens between the given heartbeats.

    Returns seconds, or None. heartbeats: the times at which they arrived, in order
    """
    return None
