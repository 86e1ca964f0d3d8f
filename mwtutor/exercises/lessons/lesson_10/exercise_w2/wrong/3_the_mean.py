# misconception: the mean of the links counts
# says: In your answer, the mean of the rates counts, but all data passes through the slower link.


def exchange_ms(size, rates):
    return 1000 * 8 * size / (sum(rates) / len(rates))
