# misconception: a link of 100 Mbit/s carries 100 megabytes a second
# says: link speeds are in bits


def exchange_seconds(machines, size, rate):
    """Seconds of a ring all-reduce of so many bytes, if each link carries so many bits a second."""
    return 2 * (machines - 1) / machines * size / rate
