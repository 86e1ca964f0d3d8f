# misconception: names in order are checkpoints in order
# says: Your answer sorts the names as text, in which `ckpt-10` is before `ckpt-9`.


def kept_names(saves, max_to_keep):
    names = sorted(f"ckpt-{number}" for number in range(1, saves + 1))
    return names if max_to_keep is None else names[-max_to_keep:]
