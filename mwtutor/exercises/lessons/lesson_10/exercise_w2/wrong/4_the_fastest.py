# misconception: the faster link counts
# says: In your answer, the faster link counts, but all data passes through the slower one, too.


def exchange_ms(size, rates):
    return 1000 * 8 * size / max(rates)
