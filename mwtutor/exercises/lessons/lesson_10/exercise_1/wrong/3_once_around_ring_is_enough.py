# misconception: once around the ring is enough
# says: complete at only one machine


def exchange_seconds(machines, size, rate):
    """Seconds that a ring all-reduce of `size` bytes takes over links of `rate` bits a second."""
    return (machines - 1) / machines * size * 8 / rate
