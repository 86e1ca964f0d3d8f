# misconception: an error while saving can be ignored
# says: the caller does not notice the error


import shutil


def save_and_remove(save, path, is_chief):
    try:
        save(path)
    except Exception as error:
        print(error)
    if not is_chief:
        shutil.rmtree(path)
