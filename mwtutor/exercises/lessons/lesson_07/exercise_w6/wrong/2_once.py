# misconception: a function is traced once
# says: In your answer, the function is traced only once, even without a signature.


def traces(shapes, with_spec):
    return min(1, len(shapes))
