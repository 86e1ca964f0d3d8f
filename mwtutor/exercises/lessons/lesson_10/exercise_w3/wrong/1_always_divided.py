# misconception: a speedup is always divided by the number of machines
# says: In weak scaling, your answer counts the work of N machines as that of one.


def share_used(kind, alone, together, machines):
    return alone / together / machines
