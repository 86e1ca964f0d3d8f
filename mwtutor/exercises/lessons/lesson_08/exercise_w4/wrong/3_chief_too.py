# misconception: every folder is temporary
# says: the chief's folder is gone


import shutil


def save_and_remove(save, path, is_chief):
    try:
        save(path)
    finally:
        shutil.rmtree(path)
