# misconception: the rows are divided as evenly as possible
# says: Your answer spreads the remainder over several replicas, instead of only the last one.


def row_weights(rows, replicas):
    sizes = [len(part) for part in np.array_split(np.arange(rows), replicas)]
    return [1 / (replicas * size) for size in sizes for _ in range(size)]
