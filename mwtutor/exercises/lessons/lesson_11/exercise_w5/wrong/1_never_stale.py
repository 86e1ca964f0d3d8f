# misconception: a gradient belongs to the newest weight
# says: No gradient is stale in your answer: each is computed from the newest weight.


def stale_weights(start, rate, read):
    return [start * (1 - rate) ** update for update in range(len(read) + 1)]
