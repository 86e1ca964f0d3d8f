def share_used(kind, alone, together, machines):
    ratio = alone / together
    return ratio if kind == "weak" else ratio / machines
