# misconception: once around the ring is enough
# says: complete at only one machine


def exchange_seconds(machines, size, rate):
    """Seconds of a ring all-reduce of so many bytes, if each link carries so many bits a second."""
    return (machines - 1) / machines * size * 8 / rate
