# misconception: stages with the same number of layers are equally fast
# says: the same number of layers


def cut(costs, stages):
    few, more = divmod(len(costs), stages)
    return [few + (stage < more) for stage in range(stages)]
