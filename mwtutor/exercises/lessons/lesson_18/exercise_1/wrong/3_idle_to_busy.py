# misconception: the bubble is the idle time, compared with the busy time
# says: divided by the busy time


def bubble(plan, forward, backward):
    ends, free, done = {}, [0.0] * len(plan), [0] * len(plan)
    busy = 0
    while any(count < len(passes) for count, passes in zip(done, plan)):
        for stage, passes in enumerate(plan):
            if done[stage] == len(passes):
                continue
            one = passes[done[stage]]
            source = stage - 1 if one[0] == "F" else stage + 1
            if 0 <= source < len(plan) and (source, one) not in ends:
                continue
            takes = forward if one[0] == "F" else backward
            free[stage] = max(free[stage], ends.get((source, one), 0)) + takes
            ends[stage, one] = free[stage]
            done[stage] += 1
            busy += takes
    return len(plan) * max(free) / busy - 1
