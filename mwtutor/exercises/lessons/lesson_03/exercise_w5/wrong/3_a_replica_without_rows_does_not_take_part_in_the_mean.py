# misconception: a replica without rows does not take part in the mean
# says: A replica without rows was left out of the mean; its 0 counts, too.


def row_weights(rows, replicas):
    each = -(-rows // replicas)
    sizes = [min(each, rows - first) for first in range(0, rows, each)]
    return [1 / (len(sizes) * size) for size in sizes for _ in range(size)]
