# misconception: the slow worker has the longest steps
# says: You compare the lengths of the steps


def slowest(times):
    return max(times, key=lambda task: times[task]["step"])
