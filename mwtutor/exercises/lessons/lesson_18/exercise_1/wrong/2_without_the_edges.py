# misconception: a stage is idle only between its first and its last pass
# says: before its first pass


def bubble(plan, forward, backward):
    ends, free, done = {}, [0.0] * len(plan), [0] * len(plan)
    begins, busy = {}, 0
    while any(count < len(passes) for count, passes in zip(done, plan)):
        for stage, passes in enumerate(plan):
            if done[stage] == len(passes):
                continue
            one = passes[done[stage]]
            source = stage - 1 if one[0] == "F" else stage + 1
            if 0 <= source < len(plan) and (source, one) not in ends:
                continue
            takes = forward if one[0] == "F" else backward
            begin = max(free[stage], ends.get((source, one), 0))
            begins.setdefault(stage, begin)
            free[stage] = ends[stage, one] = begin + takes
            done[stage] += 1
            busy += takes
    return 1 - busy / sum(free[stage] - begins[stage] for stage in begins)
