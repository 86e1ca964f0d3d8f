# misconception: every checkpoint is evaluated
# says: In your answer, all checkpoints are evaluated; a slow evaluator skips some.


def followed_numbers(saved, seconds):
    return list(range(1, len(saved) + 1))
