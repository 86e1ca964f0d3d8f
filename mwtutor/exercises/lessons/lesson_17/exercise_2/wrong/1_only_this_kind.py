# misconception: stage 2 divides the gradients instead of the optimizer's numbers
# says: each stage divides only one kind


def memory(numbers, workers, stage, slots):
    share = -(-numbers // workers)
    kinds = [(3, 1), (2, 1), (1, slots)]
    return sum(4 * count * (share if stage == which else numbers) for which, count in kinds)
