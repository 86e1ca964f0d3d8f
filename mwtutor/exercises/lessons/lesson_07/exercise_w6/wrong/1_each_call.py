# misconception: each call is traced
# says: Without a signature, each call is traced here, but a shape that was seen before has a graph.


def traces(shapes, with_spec):
    return min(1, len(shapes)) if with_spec else len(shapes)
