# misconception: names sort by step
# says: is older than 100,
import re


def newest(names):
    parts = {}
    for name in names:
        found = re.fullmatch(r"step-(\d+)/part-(\d+)-of-(\d+)\.npz", name)
        if found:
            step, part, size = found.groups()
            parts.setdefault((step, -int(size)), {})[int(part)] = name
    whole = [key for key, found in parts.items() if len(found) == -key[1]]
    return [name for _, name in sorted(parts[max(whole)].items())] if whole else []
