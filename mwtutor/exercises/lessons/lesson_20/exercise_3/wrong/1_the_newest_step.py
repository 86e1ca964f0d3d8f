# misconception: the newest step is whole
# says: does not return all parts
import re


def newest(names):
    found = [re.fullmatch(r"step-(\d+)/part-(\d+)-of-(\d+)\.npz", name) for name in names]
    keys = [tuple(map(int, one.groups())) for one in found if one]
    last = max((step for step, _, _ in keys), default=0)
    return [f"step-{s}/part-{p}-of-{n}.npz" for s, p, n in sorted(keys) if s == last]
