# == wrong: a constant
def resume(files):
    return ("kept-2.weights.h5", 2)


# == wrong: one case only
def resume(files):
    if (files,) == (["kept-1.weights.h5", "kept-2.weights.h5"],):
        return ("kept-2.weights.h5", 2)
    return 0


# == right: removes the other parts of the name
def resume(files):
    known = {name: int(name.removeprefix("kept-").removesuffix(".weights.h5")) for name in files}
    name = max(known, key=known.get, default=None)
    return [name, known.get(name, 0)]


# == right: sorted by a key
def number(name):
    return int("".join(filter(str.isdigit, name.removesuffix(".weights.h5"))))


def resume(files):
    return [(one, number(one)) for one in sorted(files, key=number)][-1] if files else (None, 0)


# == right: a regular expression
import re


def resume(files):
    found = {int(re.search(r"-(\d+)", one)[1]): one for one in files}
    return [found.get(max(found, default=0)), max(found, default=0)]


# == wrong: the last of the list
def resume(files):
    return (files[-1], int(files[-1].split("-")[1].split(".")[0])) if files else (None, 0)


# == wrong: the number of files
def resume(files):
    return (f"kept-{len(files)}.weights.h5" if files else None), len(files)


# == wrong: the first
def resume(files):
    first = min((int(name.split("-")[1].split(".")[0]) for name in files), default=0)
    return (f"kept-{first}.weights.h5" if files else None), first


# == wrong: fails without files
def resume(files):
    last = max(int(name.split("-")[1].split(".")[0]) for name in files)
    return f"kept-{last}.weights.h5", last
