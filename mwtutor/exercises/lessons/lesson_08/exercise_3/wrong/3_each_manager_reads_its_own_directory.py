# misconception: each manager finds the latest checkpoint by itself
# says: restored nothing

# %%mw
def begin(checkpoint):
    directory = "kept" if is_chief else tempfile.mkdtemp()
    manager = tf.train.CheckpointManager(checkpoint, directory, max_to_keep=3)
    manager.restore_or_initialize()
    return manager


def finish(manager):
    if not is_chief:
        shutil.rmtree(manager.directory)
