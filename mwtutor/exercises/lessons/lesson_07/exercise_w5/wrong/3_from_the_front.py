# misconception: a replica's own part comes first
# says: Your answer assumes that the replica's own part comes first.


def own_part(gathered, lengths, me):
    return gathered[: lengths[me]]
