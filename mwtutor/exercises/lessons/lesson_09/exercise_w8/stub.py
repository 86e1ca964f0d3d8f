def save(me, read, write):
    """Each worker calls this with its number. Worker 0 writes the sum once, and no worker waits
    forever.

    read(): a collective that returns the sum of all parts when every worker has called it
    write(value): writes the one shared file
    """
    return None
