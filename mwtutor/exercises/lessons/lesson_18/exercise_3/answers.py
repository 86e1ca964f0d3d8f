# == right: by trying out limits, and filling stages from left to right
def cut(costs, stages):
    def fill(limit):
        sizes, time = [0], 0
        for at, cost in enumerate(costs):
            left = len(costs) - at
            if sizes[-1] and (time + cost > limit or left <= stages - len(sizes)):
                sizes.append(0)
                time = 0
            sizes[-1] += 1
            time += cost
        return sizes

    ends = range(len(costs) + 1)
    limits = {sum(costs[begin:end]) for end in ends for begin in range(end)}
    return next(
        sizes
        for limit in sorted(limits)
        if limit >= max(costs) and len(sizes := fill(limit)) <= stages
    )


# == right: recursion with a memory, and a tuple of NumPy integers
def cut(costs, stages):
    from functools import cache

    sums = np.concatenate([[0], np.cumsum(costs)])

    @cache
    def best(begin, some):
        if some == 1:
            return sums[-1] - sums[begin], (len(costs) - begin,)
        found = []
        for end in range(begin + 1, len(costs) - some + 2):
            time, sizes = best(end, some - 1)
            found.append((max(time, sums[end] - sums[begin]), (end - begin, *sizes)))
        return min(found)

    return tuple(np.int64(size) for size in best(0, stages)[1])


# == right: a table of NumPy, and an array
def cut(costs, stages):
    sums = np.concatenate([[0], np.cumsum(costs)])
    count = len(costs)
    best = np.full((stages + 1, count + 1), np.inf)
    where = np.zeros((stages + 1, count + 1), int)
    best[0, 0] = 0
    for s in range(1, stages + 1):
        for n in range(s, count + 1):
            times = np.maximum(best[s - 1, :n], sums[n] - sums[:n])
            where[s, n] = times.argmin()
            best[s, n] = times.min()
    ends = [count]
    for s in range(stages, 0, -1):
        ends.append(where[s, ends[-1]])
    return -np.diff(ends)[::-1]


# == wrong: where the stages begin
def cut(costs, stages):
    few, more = divmod(len(costs), stages)
    return [stage * few for stage in range(stages)]


# == wrong: the times of the stages
def cut(costs, stages):
    few = len(costs) // stages
    parts = [costs[stage * few : (stage + 1) * few] for stage in range(stages)]
    return [sum(part) for part in parts]


# == wrong: lists of costs
# says: not a list of whole numbers
def cut(costs, stages):
    few = len(costs) // stages
    return [costs[stage * few : (stage + 1) * few] for stage in range(stages)]


# == wrong: stages without layers
# says: no layer
def cut(costs, stages):
    return [len(costs)] + [0] * (stages - 1)


# == wrong: one stage too many
# says: does not have one number for each stage
def cut(costs, stages):
    return [1] * stages + [len(costs) - stages]


# == wrong: only the last stage is long
def cut(costs, stages):
    return [1] * (stages - 1) + [len(costs) - stages + 1]


# == wrong: the right answer of one model
def cut(costs, stages):
    return [2, 3, 2, 3]


# == wrong: the smallest sum of squares, by moving single layers
def cut(costs, stages):
    sizes = [len(costs) // stages] * stages
    sizes[-1] += len(costs) - sum(sizes)
    for at in range(stages - 1):
        if sizes[at] < sizes[at + 1]:
            sizes[at], sizes[at + 1] = sizes[at] + 1, sizes[at + 1] - 1
    return sizes


# == wrong: text
def cut(costs, stages):
    return "3, 3, 4"


# == wrong: parts of layers
# says: not a list of whole numbers
def cut(costs, stages):
    return [len(costs) / stages] * stages


# == wrong: raises for one stage
# says: raises IndexError
def cut(costs, stages):
    return [[], []][stages]


# == wrong: bisection over whole numbers
def cut(costs, stages):
    def fits(limit):
        parts, held = [0], 0
        for one in costs:
            if parts[-1] and held + one > limit:
                parts.append(0)
                held = 0
            parts[-1] += 1
            held += one
        return parts if len(parts) <= stages else None

    import math

    low, high = math.ceil(max(costs)), math.ceil(sum(costs))
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle + 1, high)
    parts = fits(low)
    while len(parts) < stages:
        at = max(range(len(parts)), key=lambda one: parts[one])
        parts[at : at + 1] = [1, parts[at] - 1]
    return parts


# == wrong: makes the fastest stage as slow as possible
def cut(costs, stages):
    best = {0: (float("inf"), [])}
    for stage in range(stages):
        after = {}
        for begin, (value, parts) in best.items():
            for end in range(begin + 1, len(costs) + 1):
                one = min(value, sum(costs[begin:end]))
                if end not in after or one > after[end][0]:
                    after[end] = one, parts + [end - begin]
        best = after
    return best[len(costs)][1]
