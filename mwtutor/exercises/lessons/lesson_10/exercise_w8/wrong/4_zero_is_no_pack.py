# misconception: 0 means no packs
# says: With 0, your answer sends each gradient alone.


def pack_sizes(sizes, bytes_per_pack):
    found = [0]
    for size in sizes:
        if found[-1] > bytes_per_pack:
            found.append(0)
        found[-1] += size
    return found
