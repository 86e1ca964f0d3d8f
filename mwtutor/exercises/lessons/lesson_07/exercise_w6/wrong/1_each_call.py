# misconception: each call is traced
# says: Without a signature, your answer traces each call, but a shape seen before has a graph.


def traces(shapes, with_spec):
    return min(1, len(shapes)) if with_spec else len(shapes)
