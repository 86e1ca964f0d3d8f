# misconception: weak scaling divides the rows
# says: Weak and strong scaling are swapped in your answer.


def share_used(kind, alone, together, machines):
    return alone / together / (machines if kind == "weak" else 1)
