# misconception: an update replaces the weight that it read
# says: Each update is applied to the weight that it read, so the updates in between are lost.


def stale_weights(start, rate, read):
    found = [start]
    for version in read:
        found.append(found[version] - rate * found[version])
    return found
