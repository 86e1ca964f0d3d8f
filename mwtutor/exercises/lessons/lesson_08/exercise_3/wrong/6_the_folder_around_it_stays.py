# misconception: removing a directory also removes its parent
# says: left outside

# %%mw
def begin(checkpoint):
    checkpoint.restore(tf.train.latest_checkpoint("kept"))
    directory = "kept" if is_chief else f"workertemp_{task_index}/kept"
    return tf.train.CheckpointManager(checkpoint, directory, max_to_keep=3)


def finish(manager):
    if not is_chief:
        shutil.rmtree(manager.directory)
