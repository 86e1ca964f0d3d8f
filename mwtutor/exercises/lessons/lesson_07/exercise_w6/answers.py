# == right: NumPy's numbers
import numpy as np


def _of(shapes, with_spec):
    if with_spec:
        return min(1, len(shapes))
    return len(set(shapes))


def traces(shapes, with_spec):
    return np.asarray(_of(shapes, with_spec))[()]


# == wrong: a constant
def traces(shapes, with_spec):
    return 2


# == wrong: one case only
def traces(shapes, with_spec):
    if (
        shapes,
        with_spec,
    ) == (
        [(8, 3), (5, 3)],
        False,
    ):
        return 2
    return 0


# == wrong: ignores with_spec
def _of(shapes, with_spec):
    if with_spec:
        return min(1, len(shapes))
    return len(set(shapes))


def traces(shapes, with_spec):
    with_spec = False
    return _of(shapes, with_spec)


# == right: a dictionary of graphs
def traces(shapes, with_spec):
    graphs = {}
    for shape in shapes:
        graphs.setdefault((None, *shape[1:]) if with_spec else shape, "graph")
    return len(graphs)


# == right: bool
def traces(shapes, with_spec):
    return bool(shapes) if with_spec else len({*shapes})


# == wrong: 2 and 1
def traces(shapes, with_spec):
    return 1 if with_spec else 2


# == wrong: swapped
def traces(shapes, with_spec):
    return len(set(shapes)) if with_spec else min(1, len(shapes))


# == wrong: 0 with a signature
def traces(shapes, with_spec):
    return 0 if with_spec else len(set(shapes))


# == wrong: by rows together
def traces(shapes, with_spec):
    return min(1, len(shapes)) if with_spec else sum(rows for rows, _ in set(shapes))


# == wrong: number of rows only
def traces(shapes, with_spec):
    return min(1, len(shapes)) if with_spec else len({s[0] for s in shapes})


# == right: without a thought for no batches
def traces(shapes, with_spec):
    return 1 if with_spec else len(set(shapes))
