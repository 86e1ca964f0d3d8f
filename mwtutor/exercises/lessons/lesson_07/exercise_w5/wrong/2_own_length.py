# misconception: all replicas before have this replica's length
# says: Your answer assumes that the earlier parts are as long as the replica's own.


def own_part(gathered, lengths, me):
    return gathered[me * lengths[me] : (me + 1) * lengths[me]]
