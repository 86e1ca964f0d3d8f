# misconception: the newest file is the latest epoch
# says: was written last, but


def latest(folder):
    return max(folder.glob("ckpt_*.weights.h5"), key=lambda path: path.stat().st_mtime)
