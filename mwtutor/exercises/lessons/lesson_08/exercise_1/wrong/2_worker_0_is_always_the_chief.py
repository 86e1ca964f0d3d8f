# misconception: worker 0 is the chief, whatever other jobs there are
# says: to one that is removed

import os


def place(path, task_type, task_id, jobs):
    chief = task_type is None or (task_type == "worker" and task_id == 0)
    if chief:
        return path
    folder, name = os.path.split(path)
    return os.path.join(folder, f"temporary_{task_type}_{task_id}", name)
