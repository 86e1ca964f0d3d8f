# misconception: every task with the index 0 is the chief
# says: tasks save to the path

import os


def place(path, task_type, task_id, jobs):
    chief = task_id is None or task_id == 0
    if chief:
        return path
    folder, name = os.path.split(path)
    return os.path.join(folder, f"temporary_{task_type}_{task_id}", name)
