# misconception: the means of the replicas are added up
# says: The means of the replicas were added up, not averaged.


def row_weights(rows, replicas):
    each = -(-rows // replicas)
    sizes = [min(each, rows - first) for first in range(0, rows, each)]
    return [1 / size for size in sizes for _ in range(size)]
