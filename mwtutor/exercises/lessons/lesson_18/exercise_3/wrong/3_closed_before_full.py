# misconception: no stage but the last may have more than its share of the time
# says: before it has more than


def cut(costs, stages):
    share, sizes, size, time = sum(costs) / stages, [], 0, 0
    for at, cost in enumerate(costs):
        left = len(costs) - at
        if size and len(sizes) < stages - 1 and (time + cost > share or left == stages - len(sizes) - 1):
            sizes.append(size)
            size, time = 0, 0
        size, time = size + 1, time + cost
    return [*sizes, size]
