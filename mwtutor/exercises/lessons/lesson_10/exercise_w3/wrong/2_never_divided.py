# misconception: the speedup is the efficiency
# says: In strong scaling, this is the speedup, not the share of the machines that is used.


def share_used(kind, alone, together, machines):
    return alone / together
