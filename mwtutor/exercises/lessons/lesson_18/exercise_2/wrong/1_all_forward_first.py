# misconception: memory does not depend on the order of the passes
# says: micro-batches at once


def order(stage, stages, count):
    return [f"{what}{number}" for what in "FB" for number in range(count)]
