# misconception: only forward passes wait for a neighbor
# says: backward passes did not wait


def bubble(plan, forward, backward):
    ends, free, done = {}, [0.0] * len(plan), [0] * len(plan)
    busy = 0
    while any(count < len(passes) for count, passes in zip(done, plan)):
        for stage, passes in enumerate(plan):
            if done[stage] == len(passes):
                continue
            one = passes[done[stage]]
            if one[0] == "F" and stage > 0 and (stage - 1, one) not in ends:
                continue
            takes = forward if one[0] == "F" else backward
            needs = ends.get((stage - 1, one), 0) if one[0] == "F" else 0
            free[stage] = max(free[stage], needs) + takes
            ends[stage, one] = free[stage]
            done[stage] += 1
            busy += takes
    return 1 - busy / (len(plan) * max(free))
