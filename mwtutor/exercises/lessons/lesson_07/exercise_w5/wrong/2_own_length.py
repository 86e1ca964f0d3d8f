# misconception: all replicas before have this replica's length
# says: The parts before it are taken to be as long as its own.


def own_part(gathered, lengths, me):
    return gathered[me * lengths[me] : (me + 1) * lengths[me]]
