# misconception: a manager continues where the last one ended
# says: began from scratch

# %%mw
def begin(checkpoint):
    pass
    directory = "kept" if is_chief else tempfile.mkdtemp()
    return tf.train.CheckpointManager(checkpoint, directory, max_to_keep=3)


def finish(manager):
    if not is_chief:
        shutil.rmtree(manager.directory)
