# misconception: the mean of the links counts
# says: The mean of the rates counts in your answer, but all data passes through the slower link.


def exchange_ms(size, rates):
    return 1000 * 8 * size / (sum(rates) / len(rates))
