# misconception: one machine has to collect everything
# says: one machine collects everything


def exchange_seconds(machines, size, rate):
    """Seconds that a ring all-reduce of `size` bytes takes over links of `rate` bits a second."""
    return 2 * (machines - 1) * size * 8 / rate
