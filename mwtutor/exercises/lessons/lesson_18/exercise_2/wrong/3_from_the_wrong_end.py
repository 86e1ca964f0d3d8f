# misconception: later stages have to begin with more forward passes
# says: hangs


def order(stage, stages, count):
    first = min(count, stage + 1)
    passes = [f"F{number}" for number in range(first)]
    for number in range(count):
        passes.append(f"B{number}")
        if first + number < count:
            passes.append(f"F{first + number}")
    return passes
