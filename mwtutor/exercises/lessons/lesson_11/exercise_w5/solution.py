def stale_weights(start, rate, read):
    found = [start]
    for version in read:
        found.append(found[-1] - rate * found[version])
    return found
