def memory(numbers, workers, stage, slots):
    share = -(-numbers // workers)
    # The first stage that divides it, and how many numbers it has for each weight
    kinds = [(3, 1), (2, 1), (1, slots)]
    return sum(4 * count * (share if stage >= first else numbers) for first, count in kinds)
