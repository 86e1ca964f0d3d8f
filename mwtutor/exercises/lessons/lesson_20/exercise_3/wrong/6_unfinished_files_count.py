# misconception: each file in the folder is a part
# says: is not the name of a part
import re


def newest(names):
    parts = {}
    for name in names:
        found = re.match(r"step-(\d+)/part-(\d+)-of-(\d+)\.npz", name)
        if found:
            step, part, size = map(int, found.groups())
            parts.setdefault((step, -size), {})[part] = name
    whole = [key for key, found in parts.items() if len(found) == -key[1]]
    return [name for _, name in sorted(parts[max(whole)].items())] if whole else []
