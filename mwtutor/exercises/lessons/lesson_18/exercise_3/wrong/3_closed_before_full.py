# misconception: no stage but the last may have more than its share of the time
# says: before it has more than


def cut(costs, stages):
    share, sizes, size, time = sum(costs) / stages, [], 0, 0
    for at, cost in enumerate(costs):
        must = len(costs) - at == stages - len(sizes) - 1
        if size and len(sizes) < stages - 1 and (must or time + cost > share):
            sizes.append(size)
            size, time = 0, 0
        size, time = size + 1, time + cost
    return [*sizes, size]
