def resume(files):
    """Choose the file to load and the `initial_epoch` for `fit`. `files` are names
    such as `kept-2.weights.h5`, in any order.

    Without files, training begins with new weights.

    Returns (name, initial_epoch); (None, 0) if there is no file
    """
    return None
