# misconception: each worker saves its own part
# says: In your answer, each file contains only the part of the worker that wrote it.


def in_files(parts, saving):
    return {task: parts[task] for task in saving}
