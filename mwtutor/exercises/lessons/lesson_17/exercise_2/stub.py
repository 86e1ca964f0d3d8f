def memory(numbers, workers, stage, slots):
    return None
