# misconception: nothing needs to be removed after an error
# says: raises OSError: the folder is still there


import shutil


def save_and_remove(save, path, is_chief):
    save(path)
    if not is_chief:
        shutil.rmtree(path)
