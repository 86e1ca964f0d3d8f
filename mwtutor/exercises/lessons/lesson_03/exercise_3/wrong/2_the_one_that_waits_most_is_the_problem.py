# misconception: the worker that waits most is the problem
# says: A worker that waits is ready


def slowest(times):
    return max(times, key=lambda task: times[task]["waiting"])
