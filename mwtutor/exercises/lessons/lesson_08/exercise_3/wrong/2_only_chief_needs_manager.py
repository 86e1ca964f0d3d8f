# misconception: only the chief needs a manager
# says: Only one worker has a manager

# %%mw
def begin(checkpoint):
    checkpoint.restore(tf.train.latest_checkpoint("kept"))
    directory = "kept"
    return tf.train.CheckpointManager(checkpoint, directory, max_to_keep=3) if is_chief else None


def finish(manager):
    pass
