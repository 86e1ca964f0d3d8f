# misconception: all workers keep the same
# says: rounded down


def memory(numbers, workers, stage, slots):
    share = numbers // workers
    kinds = [(3, 1), (2, 1), (1, slots)]
    return sum(4 * count * (share if stage >= first else numbers) for first, count in kinds)
