# misconception: each change of the shape is a new trace
# says: In your answer, a shape that comes back is traced again.


def traces(shapes, with_spec):
    changes = [at for at, one in enumerate(shapes) if at == 0 or shapes[at - 1] != one]
    return min(1, len(shapes)) if with_spec else len(changes)
