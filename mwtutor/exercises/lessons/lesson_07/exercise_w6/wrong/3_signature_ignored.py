# misconception: a signature changes nothing
# says: In your answer, each new shape is traced despite the signature, which allows any size.


def traces(shapes, with_spec):
    return len(set(shapes))
