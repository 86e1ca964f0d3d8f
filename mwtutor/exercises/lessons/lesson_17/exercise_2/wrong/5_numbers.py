# misconception: a number is a byte
# says: numbers, not of bytes


def memory(numbers, workers, stage, slots):
    share = -(-numbers // workers)
    kinds = [(3, 1), (2, 1), (1, slots)]
    return sum(count * (share if stage >= first else numbers) for first, count in kinds)
