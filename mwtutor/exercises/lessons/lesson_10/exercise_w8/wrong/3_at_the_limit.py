# misconception: a pack that reaches the limit is full
# says: In your answer, a pack that is exactly as large as the limit is full.


def pack_sizes(sizes, bytes_per_pack):
    found = [0]
    for size in sizes:
        if bytes_per_pack and found[-1] >= bytes_per_pack:
            found.append(0)
        found[-1] += size
    return found
