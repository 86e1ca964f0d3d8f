# misconception: a gradient belongs to the newest weight
# says: In your answer, no gradient is stale: each is computed from the newest weight.


def stale_weights(start, rate, read):
    return [start * (1 - rate) ** update for update in range(len(read) + 1)]
