# misconception: part 10 comes after part 1
# says: order of the parts
import re


def newest(names):
    parts = {}
    for name in names:
        found = re.fullmatch(r"step-(\d+)/part-(\d+)-of-(\d+)\.npz", name)
        if found:
            parts.setdefault((int(found[1]), -int(found[3])), []).append(name)
    whole = [key for key, found in parts.items() if len(found) == -key[1]]
    return sorted(parts[max(whole)]) if whole else []
