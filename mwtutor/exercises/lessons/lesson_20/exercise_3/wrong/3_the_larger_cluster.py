# misconception: more parts are better
# says: has fewer parts
import re


def newest(names):
    parts = {}
    for name in names:
        found = re.fullmatch(r"step-(\d+)/part-(\d+)-of-(\d+)\.npz", name)
        if found:
            step, part, size = map(int, found.groups())
            parts.setdefault((step, size), {})[part] = name
    whole = [key for key, found in parts.items() if len(found) == key[1]]
    return [name for _, name in sorted(parts[max(whole)].items())] if whole else []
