# misconception: the rows are divided as evenly as possible
# says: Here the remainder is spread over several replicas, instead of missing on the last one.


def row_weights(rows, replicas):
    sizes = [len(part) for part in np.array_split(np.arange(rows), replicas)]
    return [1 / (replicas * size) for size in sizes for _ in range(size)]
