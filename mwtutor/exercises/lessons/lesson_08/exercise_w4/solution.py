import shutil


def save_and_remove(save, path, is_chief):
    try:
        save(path)
    finally:
        if not is_chief:
            shutil.rmtree(path)
