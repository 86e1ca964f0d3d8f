# misconception: all packs are as large as the limit
# says: In your answer, the gradients are cut into packs of exactly the limit.


def pack_sizes(sizes, bytes_per_pack):
    total, limit = sum(sizes), bytes_per_pack or sum(sizes)
    return [min(limit, total - first) for first in range(0, total, limit)]
