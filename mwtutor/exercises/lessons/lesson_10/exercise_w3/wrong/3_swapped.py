# misconception: weak scaling divides the rows
# says: In your answer, weak and strong scaling are swapped.


def share_used(kind, alone, together, machines):
    return alone / together / (machines if kind == "weak" else 1)
