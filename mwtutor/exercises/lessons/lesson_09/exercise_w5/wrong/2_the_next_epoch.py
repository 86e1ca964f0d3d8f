# misconception: initial_epoch is the number of the next epoch from 1
# says: `fit` would skip an epoch, because it counts from 0.


def resume(files):
    last = max((int(name.split("-")[1].split(".")[0]) for name in files), default=-1)
    return (f"kept-{last}.weights.h5" if files else None), last + 1
