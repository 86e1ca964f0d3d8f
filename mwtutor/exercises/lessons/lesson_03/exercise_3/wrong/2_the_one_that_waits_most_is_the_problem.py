# misconception: the one that waits most is the problem
# says: Whoever waits is ready


def slowest(times):
    return max(times, key=lambda task: times[task]["waiting"])
