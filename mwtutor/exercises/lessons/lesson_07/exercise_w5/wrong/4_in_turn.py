# misconception: rows are dealt in turn
# says: The rows are taken in turn, but each replica's rows stay together.


def own_part(gathered, lengths, me):
    return gathered[me :: len(lengths)][: lengths[me]]
