# misconception: nothing is known of the shape
# says: In your answer, all sizes are None, including those that are known.


def signature(shapes):
    return [None for _ in shapes[0]]
