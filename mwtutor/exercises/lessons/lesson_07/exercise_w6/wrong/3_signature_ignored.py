# misconception: a signature changes nothing
# says: With the signature, new shapes are traced in your answer, but it allows any number of rows.


def traces(shapes, with_spec):
    return len(set(shapes))
