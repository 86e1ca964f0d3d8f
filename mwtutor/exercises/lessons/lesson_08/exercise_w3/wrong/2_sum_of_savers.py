# misconception: the parts of those that save are summed
# says: In your answer, the files contain the sum over the workers that save.


def in_files(parts, saving):
    return {task: sum(parts[one] for one in saving) for task in saving}
