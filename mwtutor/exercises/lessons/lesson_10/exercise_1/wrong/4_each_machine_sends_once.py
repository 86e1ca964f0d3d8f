# misconception: each machine sends its gradients once
# says: the same for any number


def exchange_seconds(machines, size, rate):
    """Seconds of a ring all-reduce of so many bytes, if each link carries so many bits a second."""
    return size * 8 / rate
