# misconception: a longer step is more efficient
# says: The ratio is upside down: a longer step gives more in your answer.


def share_used(kind, alone, together, machines):
    return together / alone / (1 if kind == "weak" else machines)
