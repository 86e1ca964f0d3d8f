# misconception: checkpoints are counted from 0
# says: In your answer, the first checkpoint is called `ckpt-0`.


def kept_names(saves, max_to_keep):
    names = [f"ckpt-{number}" for number in range(saves)]
    return names if max_to_keep is None else names[-max_to_keep:]
