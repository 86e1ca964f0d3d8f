# misconception: there is always a job called chief
# says: no task saves to

import os


def place(path, task_type, task_id, jobs):
    chief = task_type is None or task_type == "chief"
    if chief:
        return path
    folder, name = os.path.split(path)
    return os.path.join(folder, f"temporary_{task_type}_{task_id}", name)
