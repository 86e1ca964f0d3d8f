# misconception: only one machine sends at a time
# says: Your machines send one after the other, but a link carries both directions at the same time.


def exchange_ms(size, rates):
    return 2 * 1000 * 8 * size / min(rates)
