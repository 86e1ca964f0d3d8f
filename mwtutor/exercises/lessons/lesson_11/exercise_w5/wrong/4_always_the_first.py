# misconception: all gradients belong to the first weight
# says: In your answer, every gradient is computed from the first weight.


def stale_weights(start, rate, read):
    return [start - update * rate * start for update in range(len(read) + 1)]
