# misconception: every optimizer keeps two numbers for each weight
# says: whatever `slots` is


def memory(numbers, workers, stage, slots):
    share = -(-numbers // workers)
    kinds = [(3, 1), (2, 1), (1, 2)]
    return sum(4 * count * (share if stage >= first else numbers) for first, count in kinds)
