# misconception: a stage ends when it has its share of the time
# says: as soon as it has


def cut(costs, stages):
    share, sizes, size, time = sum(costs) / stages, [], 0, 0
    for at, cost in enumerate(costs):
        size, time = size + 1, time + cost
        left = len(costs) - at - 1
        if len(sizes) < stages - 1 and (time >= share or left == stages - len(sizes) - 1):
            sizes.append(size)
            size, time = 0, 0
    return [*sizes, size]
