# misconception: the formula holds for every plan
# says: the formula gives


def bubble(plan, forward, backward):
    stages, count = len(plan), len(plan[0]) // 2
    return (stages - 1) / (count + stages - 1)
