# misconception: each machine sends its gradients once
# says: the same for any number


def exchange_seconds(machines, size, rate):
    """Seconds that a ring all-reduce of `size` bytes takes over links of `rate` bits a second."""
    return size * 8 / rate
