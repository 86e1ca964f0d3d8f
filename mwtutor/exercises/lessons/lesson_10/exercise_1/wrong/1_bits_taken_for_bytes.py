# misconception: a link of 100 Mbit/s carries 100 megabytes a second
# says: link speeds are in bits


def exchange_seconds(machines, size, rate):
    """Seconds that a ring all-reduce of `size` bytes takes over links of `rate` bits a second."""
    return 2 * (machines - 1) / machines * size / rate
