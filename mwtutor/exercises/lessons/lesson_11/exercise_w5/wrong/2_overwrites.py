# misconception: an update replaces the weight that it read
# says: In your answer, each update changes the weight that it read: the updates between are lost.


def stale_weights(start, rate, read):
    found = [start]
    for version in read:
        found.append(found[version] - rate * found[version])
    return found
