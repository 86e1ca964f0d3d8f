# misconception: one machine has to collect everything
# says: one machine collects everything


def exchange_seconds(machines, size, rate):
    """Seconds of a ring all-reduce of so many bytes, if each link carries so many bits a second."""
    return 2 * (machines - 1) * size * 8 / rate
