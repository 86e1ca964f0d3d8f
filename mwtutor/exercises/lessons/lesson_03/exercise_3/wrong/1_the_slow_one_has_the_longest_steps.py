# misconception: the slow worker has the longest steps
# says: You compare the lengths of a step


def slowest(times):
    return max(times, key=lambda task: times[task]["step"])
