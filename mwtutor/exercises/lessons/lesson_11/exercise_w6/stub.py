def counted_twice(events):
    """The steps, sorted, whose 1 is in the counter more than once.

    `events` lists what happened to which step: it "adds" its 1, is "reported", or is "lost"
    with its worker and put back into the queue.

    Returns a sorted list of steps.

    events: [("adds", 0), ("lost", 0), ("adds", 0), ("reported", 0), ...] in order of time
    """
    return None
