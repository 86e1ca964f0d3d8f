def seconds_waited(ready):
    found = [0.0] * len(ready[0])
    for times in ready:
        for worker, own in enumerate(times):
            found[worker] += max(times) - own
    return found
