# misconception: names in order are epochs in order
# says: as text, '9' comes after '11'


def latest(folder):
    return max(folder.glob("ckpt_*.weights.h5"))
