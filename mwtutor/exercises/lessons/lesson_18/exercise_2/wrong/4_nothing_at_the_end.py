# misconception: when the forward passes are done, the step is done
# says: is missing


def order(stage, stages, count):
    first = min(count, stages - stage)
    passes = [f"F{number}" for number in range(first)]
    for number in range(count - first):
        passes += [f"B{number}", f"F{first + number}"]
    return passes
