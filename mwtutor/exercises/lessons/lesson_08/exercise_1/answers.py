# == right: one condition for the chief
import os
import pathlib


def place(path, task_type, task_id, jobs):
    chief = task_type in (None, "chief") or (
        task_type == "worker" and task_id == 0 and "chief" not in jobs
    )
    if chief:
        return path
    return os.path.join(os.path.dirname(path), f"{task_type}-{task_id}", os.path.basename(path))


# == right: pathlib, and a hidden folder for each task
import os
import pathlib


def place(path, task_type, task_id, jobs):
    if task_type is None or task_type == "chief":
        return path
    if (
        task_type == "worker" and task_id == 0 and not jobs.get("chief")
        if hasattr(jobs, "get")
        else (task_type == "worker" and task_id == 0 and "chief" not in jobs)
    ):
        return path
    p = pathlib.Path(path)
    return str(p.parent / ".tmp" / task_type / str(task_id) / p.name)


# == right: the job that is first, and joined by hand
import os
import pathlib


def place(path, task_type, task_id, jobs):
    if not jobs:
        return path
    first = "chief" if "chief" in jobs else "worker"
    if (task_type, task_id) == (first, 0):
        return path
    d, n = os.path.split(path)
    return "/".join(filter(None, [d, "temporary_" + task_type + str(task_id), n]))


# == not yet: unchanged, even for a process without a cluster
import os
import pathlib


def place(path, task_type, task_id, jobs):
    if not task_id:
        return path
    return path + ".temporary"


# == wrong: worker 0 is never the chief
import os
import pathlib


def place(path, task_type, task_id, jobs):
    if task_type == "chief" or task_id is None:
        return path
    return os.path.join("temp", str(task_id), os.path.basename(path))


# == wrong: index 0 of each job
import os
import pathlib


def place(path, task_type, task_id, jobs):
    if task_type in ("chief", None) or task_id == 0:
        return path
    return os.path.join(os.path.dirname(path), str(task_id), os.path.basename(path))


# == wrong: another file name
import os
import pathlib


def place(path, task_type, task_id, jobs):
    if task_type in ("chief", None) or (task_id == 0 and "chief" not in jobs):
        return path
    return os.path.join(os.path.dirname(path), f"{task_type}_{task_id}_" + os.path.basename(path))


# == wrong: one folder for all the others
import os
import pathlib


def place(path, task_type, task_id, jobs):
    if task_type in ("chief", None) or (task_id == 0 and "chief" not in jobs):
        return path
    return os.path.join(os.path.dirname(path), "tmp", os.path.basename(path))


# == wrong: no path for the others
import os
import pathlib


def place(path, task_type, task_id, jobs):
    if task_type in ("chief", None) or (task_id == 0 and "chief" not in jobs):
        return path
    return None


# == wrong: worker 0, whatever other jobs there are
import os
import pathlib
import random


def place(path, task_type, task_id, jobs):
    if task_type == "worker" and task_id == 0:
        return path
    return os.path.join(f"{task_type}{task_id}", os.path.basename(path))


# == wrong: a temporary folder, and index 0 of each job
import os
import pathlib
import tempfile


def place(path, task_type, task_id, jobs):
    if task_id == 0:
        return path
    return os.path.join(tempfile.mkdtemp(), os.path.basename(path))
