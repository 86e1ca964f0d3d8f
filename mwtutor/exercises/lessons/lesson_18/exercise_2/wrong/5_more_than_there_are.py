# misconception: there are always more micro-batches than stages
# says: there is no


def order(stage, stages, count):
    first = stages - stage
    passes = [f"F{number}" for number in range(first)]
    for number in range(count):
        passes.append(f"B{number}")
        if first + number < count:
            passes.append(f"F{first + number}")
    return passes
