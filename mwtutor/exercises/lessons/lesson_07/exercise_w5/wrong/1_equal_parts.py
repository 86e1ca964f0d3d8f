# misconception: all parts have the same length
# says: The parts are taken to be equally long.


def own_part(gathered, lengths, me):
    size = -(-len(gathered) // len(lengths))
    return gathered[me * size : (me + 1) * size]
