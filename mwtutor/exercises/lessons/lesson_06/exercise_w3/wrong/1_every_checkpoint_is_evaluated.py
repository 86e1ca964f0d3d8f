# misconception: every checkpoint is evaluated
# says: All checkpoints are evaluated in your answer; a slow evaluator skips some.


def followed_numbers(saved, seconds):
    return list(range(1, len(saved) + 1))
