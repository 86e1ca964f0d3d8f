# == wrong: a constant
def in_files(parts, saving):
    return {}


# == wrong: one case only
def in_files(parts, saving):
    if (
        parts,
        saving,
    ) == (
        {"worker:0": 100, "worker:1": 101},
        ["worker:0"],
    ):
        return {}
    return 0


# == right: counts the workers
def in_files(parts, saving):
    total = sum(parts.values())
    return dict.fromkeys(saving, total) if len(saving) == len(parts) else {}


# == right: a loop
def in_files(parts, saving):
    found = {}
    if all(task in saving for task in parts):
        for task in saving:
            found[task] = float(sum(parts[one] for one in parts))
    return found


# == right: NumPy's sum
import numpy as np


def in_files(parts, saving):
    total = np.sum(list(parts.values()))
    return {task: total for task in saving if len(parts) == len(set(saving))}


# == wrong: only the chief's file
def in_files(parts, saving):
    return {"worker:0": sum(parts.values())} if len(saving) == len(parts) else {}


# == wrong: two workers
def in_files(parts, saving):
    return {} if len(saving) < 2 else {task: sum(parts.values()) for task in saving}


# == wrong: the sum alone
def in_files(parts, saving):
    return sum(parts.values()) if len(saving) == len(parts) else {}


# == wrong: the largest part
def in_files(parts, saving):
    return {task: max(parts.values()) for task in saving} if len(saving) == len(parts) else {}
