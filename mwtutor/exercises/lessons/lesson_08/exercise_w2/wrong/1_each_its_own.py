# misconception: each worker merges its own files
# says: No merge fails, as if each worker had a folder of its own.


def failing(steps):
    return []
