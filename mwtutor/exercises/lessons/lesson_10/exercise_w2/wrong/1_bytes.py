# misconception: links carry bytes per second
# says: This is an eighth of the time: a byte has 8 bits.


def exchange_ms(size, rates):
    return 1000 * size / min(rates)
