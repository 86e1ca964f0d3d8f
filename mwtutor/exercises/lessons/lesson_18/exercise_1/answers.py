# == right: by recursion, with each pass asking for the end of what it needs
def bubble(plan, forward, backward):
    from functools import cache

    @cache
    def end(stage, at):
        one = plan[stage][at]
        begin = end(stage, at - 1) if at else 0
        source = stage - 1 if one.startswith("F") else stage + 1
        if 0 <= source < len(plan):
            begin = max(begin, end(source, plan[source].index(one)))
        return begin + (forward if one.startswith("F") else backward)

    length = max(end(stage, len(passes) - 1) for stage, passes in enumerate(plan))
    busy = sum(len(passes) for passes in plan) / 2 * (forward + backward)
    return np.float64(1 - busy / length / len(plan))


# == right: repeats until nothing changes
def bubble(plan, forward, backward):
    ends = {(stage, one): 0 for stage, passes in enumerate(plan) for one in passes}
    while True:
        before = dict(ends)
        for stage, passes in enumerate(plan):
            now = 0
            for one in passes:
                other = stage + (1 if one[0] == "B" else -1)
                now = max(now, ends.get((other, one), 0)) + (backward if one[0] == "B" else forward)
                ends[stage, one] = now
        if ends == before:
            break
    last = max(ends.values())
    idle = [last - len(passes) // 2 * (forward + backward) for passes in plan]
    return sum(idle) / (last * len(plan))


# == right: consumes the plan, and gives text that is a number
def bubble(plan, forward, backward):
    stages, work = len(plan), sum(len(passes) for passes in plan) * (forward + backward) / 2
    came, free = {}, [0] * stages
    while any(plan):
        for stage in range(stages):
            while plan[stage]:
                one = plan[stage][0]
                alone = (one[0] == "F" and stage == 0) or (one[0] == "B" and stage == stages - 1)
                if not alone and (stage, one) not in came:
                    break
                plan[stage].pop(0)
                free[stage] = max(free[stage], came.get((stage, one), 0))
                free[stage] += {"F": forward, "B": backward}[one[0]]
                came[stage + {"F": 1, "B": -1}[one[0]], one] = free[stage]
    return np.array(1 - work / stages / max(free))


# == wrong: the busy part
# says: busy part
def bubble(plan, forward, backward):
    from functools import cache

    @cache
    def end(stage, at):
        one = plan[stage][at]
        begin = end(stage, at - 1) if at else 0
        source = stage - 1 if one.startswith("F") else stage + 1
        if 0 <= source < len(plan):
            begin = max(begin, end(source, plan[source].index(one)))
        return begin + (forward if one.startswith("F") else backward)

    length = max(end(stage, len(passes) - 1) for stage, passes in enumerate(plan))
    return sum(len(passes) for passes in plan) / 2 * (forward + backward) / length / len(plan)


# == wrong: a constant
def bubble(plan, forward, backward):
    return 3 / 11


# == wrong: the length instead of the bubble
def bubble(plan, forward, backward):
    return (len(plan) + len(plan[0]) // 2 - 1) * (forward + backward)


# == wrong: waits for nothing
def bubble(plan, forward, backward):
    return 0.0


# == wrong: text
# says: not a number
def bubble(plan, forward, backward):
    return "3 / 11"


# == wrong: does not know the stage after the last one
# says: raises KeyError
def bubble(plan, forward, backward):
    ends = {}
    for stage, passes in enumerate(plan):
        for one in passes:
            ends[stage, one] = ends[stage + 1, one] + 1
    return max(ends.values())


# == wrong: goes over the stages only once, from the first to the last
def bubble(plan, forward, backward):
    ends, last = {}, 0
    for stage, passes in enumerate(plan):
        now = 0
        for one in passes:
            source = stage - 1 if one[0] == "F" else stage + 1
            now = max(now, ends.get((source, one), 0)) + (forward if one[0] == "F" else backward)
            ends[stage, one] = now
        last = max(last, now)
    return 1 - len(plan[0]) / 2 * (forward + backward) / last


# == wrong: not a number
def bubble(plan, forward, backward):
    return float("nan")


# == wrong: takes the first digit of a number only
def bubble(plan, forward, backward):
    ends, todo = {}, [list(passes) for passes in plan]
    free = [0] * len(plan)
    while any(todo):
        for s, passes in enumerate(todo):
            if passes:
                name = passes[0][:2]
                needs = (s - 1, name) if name[0] == "F" else (s + 1, name)
                if 0 <= needs[0] < len(plan) and needs not in ends:
                    continue
                free[s] = ends[s, name] = max(ends.get(needs, 0), free[s]) + (
                    forward if name[0] == "F" else backward
                )
                passes.pop(0)
    busy = sum(forward if name[0] == "F" else backward for passes in plan for name in passes)
    return 1 - busy / (len(plan) * max(free))


# == wrong: does the passes in another order
def bubble(plan, forward, backward):
    last = len(plan) - 1
    ends, free = {}, [0] * len(plan)
    todo = [set(passes) for passes in plan]
    while any(todo):
        best = None
        for s, names in enumerate(todo):
            for name in names:
                if name[0] == "F":
                    needs = (s - 1, name) if s else None
                else:
                    needs = (s + 1, name) if s < last else (s, "F" + name[1:])
                if needs and needs not in ends:
                    continue
                begin = max(free[s], ends[needs] if needs else 0)
                if best is None or (begin, s, name) < best:
                    best = begin, s, name
        begin, s, name = best
        free[s] = ends[s, name] = begin + (forward if name[0] == "F" else backward)
        todo[s].remove(name)
    busy = sum(forward if name[0] == "F" else backward for passes in plan for name in passes)
    return 1 - busy / (len(plan) * max(free))
