# misconception: as many files as there are parts make a whole checkpoint
# says: of several sizes
import re


def newest(names):
    steps = {}
    for name in names:
        found = re.fullmatch(r"step-(\d+)/part-(\d+)-of-(\d+)\.npz", name)
        if found:
            step, part, size = map(int, found.groups())
            steps.setdefault(step, []).append((size, part, name))
    for step in sorted(steps, reverse=True):
        if len(steps[step]) >= min(size for size, _, _ in steps[step]):
            return [name for _, _, name in sorted(steps[step])]
    return []
