def signature(shapes):
    return [sizes[0] if len(set(sizes)) == 1 else None for sizes in zip(*shapes)]
