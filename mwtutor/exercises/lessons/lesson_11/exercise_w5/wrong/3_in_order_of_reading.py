# misconception: updates are applied in the order in which they read
# says: The updates are sorted by what they read, but they are applied as they arrive.


def stale_weights(start, rate, read):
    found = [start]
    for version in sorted(read):
        found.append(found[-1] - rate * found[version])
    return found
