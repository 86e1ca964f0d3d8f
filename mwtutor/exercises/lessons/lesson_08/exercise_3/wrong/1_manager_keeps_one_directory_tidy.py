# misconception: a manager keeps one directory tidy for all workers
# says: write to the same directory

# %%mw
def begin(checkpoint):
    checkpoint.restore(tf.train.latest_checkpoint("kept"))
    directory = "kept"
    return tf.train.CheckpointManager(checkpoint, directory, max_to_keep=3)


def finish(manager):
    pass
