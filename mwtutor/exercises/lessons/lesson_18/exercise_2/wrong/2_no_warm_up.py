# misconception: every stage alternates from the beginning
# says: takes


def order(stage, stages, count):
    return [f"{what}{number}" for number in range(count) for what in "FB"]
