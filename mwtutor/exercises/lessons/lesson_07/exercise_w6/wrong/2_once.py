# misconception: a function is traced once
# says: Without a signature, too, the function is traced once in your answer.


def traces(shapes, with_spec):
    return min(1, len(shapes))
