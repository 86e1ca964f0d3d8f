def exchange_seconds(machines, size, rate):
    """Seconds that a ring all-reduce of `size` bytes takes over links of `rate` bits a second."""
    return None
