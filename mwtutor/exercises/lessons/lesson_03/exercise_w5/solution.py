def row_weights(rows, replicas):
    each = -(-rows // replicas)
    sizes = [min(each, rows - first) for first in range(0, rows, each)]
    return [1 / (replicas * size) for size in sizes for _ in range(size)]
