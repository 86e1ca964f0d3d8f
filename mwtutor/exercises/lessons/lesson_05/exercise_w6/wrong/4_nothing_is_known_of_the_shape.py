# misconception: nothing is known of the shape
# says: All sizes are None in your answer, including those that are known.


def signature(shapes):
    return [None for _ in shapes[0]]
