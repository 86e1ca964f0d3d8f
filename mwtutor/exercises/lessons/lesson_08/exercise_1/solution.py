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
    folder, name = os.path.split(path)
    return os.path.join(folder, f"temporary_{task_type}_{task_id}", name)
