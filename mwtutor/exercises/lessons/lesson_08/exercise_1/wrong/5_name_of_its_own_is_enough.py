# misconception: a file name that no other task uses is enough
# says: Keras chooses the format

import os


def place(path, task_type, task_id, jobs):
    if task_type is None:
        chief = True
    elif "chief" in jobs:
        chief = task_type == "chief"
    else:
        chief = task_type == "worker" and task_id == 0
    if chief:
        return path
    return f"{path}.{task_type}-{task_id}"
