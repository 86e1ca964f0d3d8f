# misconception: all parts have the same length
# says: Your answer assumes that all parts have the same length.


def own_part(gathered, lengths, me):
    size = -(-len(gathered) // len(lengths))
    return gathered[me * size : (me + 1) * size]
