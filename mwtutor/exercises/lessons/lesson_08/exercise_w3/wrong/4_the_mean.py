# misconception: reading a variable gives the mean of its parts
# says: In your answer, the files contain the mean of the parts.


def in_files(parts, saving):
    if set(saving) != set(parts):
        return {}
    return {task: sum(parts.values()) / len(parts) for task in saving}
