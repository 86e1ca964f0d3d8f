import os


def place(path, task_type, task_id, jobs):
    if task_id == 0:
        return path
    return path + ".temporary"
