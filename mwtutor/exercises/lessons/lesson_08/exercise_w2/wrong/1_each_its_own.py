# misconception: each worker merges its own files
# says: In your answer, no merge fails, as if each worker had its own folder.


def failing(steps):
    return []
