# misconception: the weights are divided first
# says: divides the weights in stage 1


def memory(numbers, workers, stage, slots):
    share = -(-numbers // workers)
    kinds = [(1, 1), (2, 1), (3, slots)]
    return sum(4 * count * (share if stage >= first else numbers) for first, count in kinds)
