def memory(numbers, workers, stage, slots):
    share = -(-numbers // workers)
    kinds = [(3, 1), (2, 1), (1, slots)]  # divided from which stage on, and how many for each weight
    return sum(4 * count * (share if stage >= first else numbers) for first, count in kinds)
