import shutil


def save_and_remove(save, path, is_chief):
    """Call `save(path)`, which creates a folder and may raise an error. With or without an error,
    remove the folder afterward unless it is the chief's. An error must reach the caller.
    """
    return None
