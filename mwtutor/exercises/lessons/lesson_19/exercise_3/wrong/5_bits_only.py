# misconception: the same computation gives the same bits
# says: in two orders


def compare(a, b, terms, sizes):
    return "equal" if a.tobytes() == b.tobytes() else "different"
