# misconception: fewer parts are always newer
# says: 70 is older than
import re


def newest(names):
    parts = {}
    for name in names:
        found = re.fullmatch(r"step-(\d+)/part-(\d+)-of-(\d+)\.npz", name)
        if found:
            step, part, size = map(int, found.groups())
            parts.setdefault((-size, step), {})[part] = name
    whole = [key for key, found in parts.items() if set(found) == set(range(-key[0]))]
    return [name for _, name in sorted(parts[max(whole)].items())] if whole else []
