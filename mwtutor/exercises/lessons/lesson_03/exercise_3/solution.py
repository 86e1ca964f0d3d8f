def slowest(times):
    return max(times, key=lambda task: times[task]["before"] + times[task]["computing"])
