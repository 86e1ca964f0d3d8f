# misconception: the manager stops saving when it has enough
# says: In your answer, the oldest checkpoints are kept, and the newest are removed.


def kept_names(saves, max_to_keep):
    return [f"ckpt-{number}" for number in range(1, saves + 1)][:max_to_keep]
