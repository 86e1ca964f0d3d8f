# misconception: from stage 1 on, everything is divided
# says: divides all three kinds


def memory(numbers, workers, stage, slots):
    return 4 * (2 + slots) * (-(-numbers // workers) if stage else numbers)
