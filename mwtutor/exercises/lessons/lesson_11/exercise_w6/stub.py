def counted_twice(events):
    """The steps, sorted, whose 1 is in the counter more than once.

    `events` lists what happened to which step: "adds", "reported", or "lost" with its worker
    and put back.

    Returns a sorted list of steps.

    events: [("adds", 0), ("lost", 0), ("adds", 0), ("reported", 0), ...] in the order of time
    """
    return None
