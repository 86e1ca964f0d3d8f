# misconception: only the size of the batch can differ
# says: Only the first size was compared: others may differ, too.


def signature(shapes):
    first = shapes[0][0] if len({shape[0] for shape in shapes}) == 1 else None
    return [first, *shapes[0][1:]]
