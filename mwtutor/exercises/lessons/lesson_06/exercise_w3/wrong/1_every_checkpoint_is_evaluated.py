# misconception: every checkpoint is evaluated
# says: All checkpoints are evaluated here; a slow evaluator skips some.


def followed_numbers(saved, seconds):
    return list(range(1, len(saved) + 1))
