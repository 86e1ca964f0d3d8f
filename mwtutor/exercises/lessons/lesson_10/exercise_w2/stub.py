def exchange_ms(size, rates):
    """How long two machines take to send `size` bytes to each other at the same time.

    `rates` are the bits per second that their links carry in each direction.

    Returns milliseconds until both have received everything.
    """
    return None
