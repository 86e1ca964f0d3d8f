# misconception: no pack is larger than the limit
# says: In your answer, a gradient that does not fit begins a new pack: packs stay below the limit.


def pack_sizes(sizes, bytes_per_pack):
    found = [0]
    for size in sizes:
        if bytes_per_pack and found[-1] and found[-1] + size > bytes_per_pack:
            found.append(0)
        found[-1] += size
    return found
