# misconception: a manager keeps three checkpoints by default
# says: Checkpoints in `kept`

# %%mw
def begin(checkpoint):
    checkpoint.restore(tf.train.latest_checkpoint("kept"))
    directory = "kept" if is_chief else tempfile.mkdtemp()
    return tf.train.CheckpointManager(checkpoint, directory, max_to_keep=5)


def finish(manager):
    if not is_chief:
        shutil.rmtree(manager.directory)
