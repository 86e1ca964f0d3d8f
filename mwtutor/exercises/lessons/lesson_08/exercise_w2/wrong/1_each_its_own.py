# misconception: each worker merges its own files
# says: No merge fails, as if each worker had its own folder.


def failing(steps):
    return []
