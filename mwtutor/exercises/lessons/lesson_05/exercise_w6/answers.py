# == right: loops
def signature(shapes):
    found = list(shapes[0])
    for shape in shapes[1:]:
        found = [a if a == b else None for a, b in zip(found, shape)]
    return tuple(found)


# == right: a generator
def signature(shapes):
    return (min(each) if min(each) == max(each) else None for each in zip(*shapes))


# == right: NumPy's numbers
def signature(shapes):
    table = np.array(shapes)
    same = (table == table[0]).all(axis=0)
    return [size if one else None for size, one in zip(table[0], same)]


# == wrong: None first, whatever the batches
def signature(shapes):
    return [None, *shapes[0][1:]]


# == wrong: the smallest sizes
def signature(shapes):
    return [min(sizes) for sizes in zip(*shapes)]


# == wrong: the last batch
def signature(shapes):
    return list(shapes[-1])


# == wrong: only the first two batches
def signature(shapes):
    return [a if a == b else None for a, b in zip(shapes[0], shapes[min(1, len(shapes) - 1)])]


# == wrong: 0 for unknown
def signature(shapes):
    return [sizes[0] if len(set(sizes)) == 1 else 0 for sizes in zip(*shapes)]


# == wrong: a constant
def signature(shapes):
    return [None, 28, 28, 1]


# == wrong: all different shapes
def signature(shapes):
    return [list(shape) for shape in dict.fromkeys(map(tuple, shapes))]


# == wrong: the last two shapes
def signature(shapes):
    return [one if one == other else None for one, other in zip(shapes[-1], shapes[-2:][0])]
