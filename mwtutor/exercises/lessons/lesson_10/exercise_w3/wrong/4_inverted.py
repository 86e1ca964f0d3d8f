# misconception: a longer step is more efficient
# says: The ratio is upside down: in your answer, a longer step is more efficient.


def share_used(kind, alone, together, machines):
    return together / alone / (1 if kind == "weak" else machines)
