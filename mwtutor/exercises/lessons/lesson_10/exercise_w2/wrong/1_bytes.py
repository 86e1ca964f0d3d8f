# misconception: links carry bytes per second
# says: This is an eighth of the time: a byte has 8 bits.


def milliseconds(size, rates):
    return 1000 * size / min(rates)
