# misconception: the folder around it is temporary, too
# says: a file next to the folder is gone


import shutil


def save_and_remove(save, path, is_chief):
    try:
        save(path)
    finally:
        if not is_chief:
            shutil.rmtree(path.rpartition("/")[0])
