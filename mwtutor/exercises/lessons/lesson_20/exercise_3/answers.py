# == right: split, without regular expressions
def newest(names):
    groups = {}
    for name in names:
        folder, _, file = name.partition("/")
        words = file.removesuffix(".npz").split("-")
        if file.endswith(".npz") and len(words) == 4 and words[0] == "part" and words[2] == "of":
            groups.setdefault((int(folder.split("-")[1]), -int(words[3])), []).append(
                (int(words[1]), name)
            )
    for step, size in sorted(groups, reverse=True):
        if len(groups[step, size]) == -size:
            return [name for _, name in sorted(groups[step, size])]
    return []


# == right: tries each size
def newest(names):
    known = set(names)
    found = [re.fullmatch(r"step-(\d+)/part-0-of-(\d+)\.npz", name) for name in names]
    keys = sorted((-int(one[1]), int(one[2])) for one in found if one)
    for step, size in keys:
        wanted = [f"step-{-step}/part-{part}-of-{size}.npz" for part in range(size)]
        if known.issuperset(wanted):
            return wanted
    return []


# == right: a tuple
def newest(names):
    best = ()
    for name in names:
        one = re.fullmatch(r"step-(\d+)/part-0-of-(\d+)\.npz", name)
        if one is None:
            continue
        step, size = int(one[1]), int(one[2])
        wanted = tuple(f"step-{step}/part-{part}-of-{size}.npz" for part in range(size))
        if set(wanted) <= set(names) and (not best or (step, -size) > best[0]):
            best = ((step, -size), wanted)
    return best[1] if best else ()


# == wrong: all names
def newest(names):
    return names


# == wrong: always nothing
def newest(names):
    return []


# == wrong: the oldest
def newest(names):
    parts = {}
    for name in names:
        found = re.fullmatch(r"step-(\d+)/part-(\d+)-of-(\d+)\.npz", name)
        if found:
            step, part, size = map(int, found.groups())
            parts.setdefault((step, size), {})[part] = name
    whole = [key for key, found in parts.items() if len(found) == key[1]]
    return [name for _, name in sorted(parts[min(whole)].items())] if whole else []


# == wrong: only clusters of two
def newest(names):
    steps = sorted({int(re.match(r"step-(\d+)", name)[1]) for name in names}, reverse=True)
    for step in steps:
        wanted = [f"step-{step}/part-{part}-of-2.npz" for part in range(2)]
        if set(wanted) <= set(names):
            return wanted
    return []


# == wrong: only the folder
def newest(names):
    return max(names).split("/")[0]


# == wrong: only part 0
def newest(names):
    found = [re.fullmatch(r"step-(\d+)/part-0-of-(\d+)\.npz", name) for name in names]
    keys = [(int(one[1]), -int(one[2]), one[0]) for one in found if one]
    return [max(keys)[2]] if keys else []


# == wrong: raises if there is none
def newest(names):
    parts = {}
    for name in names:
        found = re.fullmatch(r"step-(\d+)/part-(\d+)-of-(\d+)\.npz", name)
        if found:
            step, part, size = map(int, found.groups())
            parts.setdefault((step, -size), {})[part] = name
    whole = [key for key, found in parts.items() if len(found) == -key[1]]
    return [name for _, name in sorted(parts[max(whole)].items())]


# == wrong: numbers
def newest(names):
    return [1, 2]


# == wrong: a number
def newest(names):
    return 40


# == wrong: the dot stands for any character
def newest(names):
    import re

    groups = {}
    for name in names:
        if found := re.fullmatch(r"step-(\d+)/part-(\d+)-of-(\d+).npz", name):
            groups.setdefault((int(found[1]), -int(found[3])), {})[int(found[2])] = name
    whole = [key for key, parts in groups.items() if set(parts) == set(range(-key[1]))]
    return [groups[max(whole)][at] for at in range(-max(whole)[1])] if whole else []


# == wrong: finds the name anywhere in a path
def newest(names):
    import re

    groups = {}
    for name in names:
        if found := re.search(r"step-(\d+)/part-(\d+)-of-(\d+)\.npz$", name):
            groups.setdefault((int(found[1]), -int(found[3])), {})[int(found[2])] = name
    whole = [key for key, parts in groups.items() if set(parts) == set(range(-key[1]))]
    return [groups[max(whole)][at] for at in range(-max(whole)[1])] if whole else []
