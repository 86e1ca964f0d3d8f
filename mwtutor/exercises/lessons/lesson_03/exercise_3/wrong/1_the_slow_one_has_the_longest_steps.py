# misconception: the slow one has the longest steps
# says: You go by the length of a step


def slowest(times):
    return max(times, key=lambda task: times[task]["step"])
