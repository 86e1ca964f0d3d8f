# misconception: a worker is slow because of what happens before its steps
# says: may be slow in either part


def slowest(times):
    return max(times, key=lambda task: times[task]["before"])
