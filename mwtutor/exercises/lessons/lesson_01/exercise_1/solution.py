def epoch(path):
    return int(path.name.removeprefix("ckpt_").removesuffix(".weights.h5"))


def latest(folder):
    return max(folder.glob("ckpt_*.weights.h5"), key=epoch)
