# misconception: a speedup is always divided by the number of machines
# says: In weak scaling, the work of N machines counts as that of one in your answer.


def share_used(kind, alone, together, machines):
    return alone / together / machines
