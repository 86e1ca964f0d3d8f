# misconception: there is a checkpoint of every epoch
# says: how many files there are.


def latest(folder):
    return folder / f"ckpt_{len(list(folder.glob('ckpt_*')))}.weights.h5"
