# misconception: initial_epoch is the last epoch, counted from 0
# says: `fit` would repeat the file's last epoch.


def resume(files):
    last = max((int(name.split("-")[1].split(".")[0]) for name in files), default=1)
    return (f"kept-{last}.weights.h5" if files else None), last - 1
