# == right: the number is found with a regular expression
import re


def latest(folder):
    return sorted(folder.iterdir(), key=lambda p: int(re.findall(r"\d+", p.name)[0]))[-1]


# == right: the path is built from the number
def latest(folder):
    n = max(int(p.name.split("_")[1].split(".")[0]) for p in folder.glob("ckpt_*"))
    return folder / f"ckpt_{n}.weights.h5"


# == right: the path is text, from os.listdir
import os


def latest(folder):
    best, at = None, -1
    for name in os.listdir(folder):
        number = int(name[5 : -len(".weights.h5")])
        if number > at:
            best, at = name, number
    return os.path.join(folder, best)


# == right: the longest name, then the last in order
def latest(folder):
    return max(folder.iterdir(), key=lambda p: (len(p.name), p.name))


# == wrong: the last in the order of names
def latest(folder):
    return sorted(folder.glob("*.h5"))[-1]


# == wrong: the file that was changed last
def latest(folder):
    return max(folder.glob("*.h5"), key=lambda p: p.stat().st_ctime)


# == wrong: whatever file the folder lists last
def latest(folder):
    return list(folder.glob("*.h5"))[-1]


# == wrong: the longest name
def latest(folder):
    return max(folder.glob("*.h5"), key=lambda p: len(p.name))


# == wrong: the first digit of the number
def latest(folder):
    return max(folder.glob("*.h5"), key=lambda p: p.stem.split("_")[1][0])


# == wrong: the number, not the path
def latest(folder):
    return max(int(p.name.split("_")[1].split(".")[0]) for p in folder.glob("*.h5"))


# == wrong: always epoch 11
def latest(folder):
    return folder / "ckpt_11.weights.h5"


# == wrong: only the first digit counts, with a minus
def latest(folder):
    return min(folder.glob("*.h5"), key=lambda p: -int(p.name[5:6]))


# == wrong: the name without the folder
# says: not the path of a file in `folder`
def latest(folder):
    return max((p.name for p in folder.iterdir()), key=lambda name: int(name[5:-11]))


# == not yet: it looks for TensorFlow's own format, and finds nothing
# says: contains `ckpt_9.weights.h5` and `ckpt_10.weights.h5`
def latest(folder):
    return next(folder.glob("*.index"), None)
