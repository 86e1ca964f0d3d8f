# == right: a temporary directory for those who are not the chief
# %%mw
def begin(checkpoint):
    checkpoint.restore(tf.train.latest_checkpoint("kept"))
    directory = "kept" if is_chief else tempfile.mkdtemp()
    return tf.train.CheckpointManager(checkpoint, directory, max_to_keep=3)


def finish(manager):
    if not is_chief:
        shutil.rmtree(manager.directory)


# == right: mwtutor's context, entered in one function and left in the other
# %%mw
import contextlib

stack = contextlib.ExitStack()


def begin(checkpoint):
    directory = stack.enter_context(mwtutor.write_filepath("kept"))
    checkpoint.restore(tf.train.latest_checkpoint("kept"))
    return tf.train.CheckpointManager(checkpoint, directory, max_to_keep=3)


def finish(manager):
    stack.close()


# == right: a class of managers, with a directory below that of the chief
# %%mw
class Manager(tf.train.CheckpointManager):
    def __init__(self, checkpoint):
        place = "kept" if is_chief else os.path.join("kept", f"of-worker-{task_index}")
        super().__init__(checkpoint, place, max_to_keep=3)

    def clean(self):
        if not is_chief:
            shutil.rmtree(self.directory)


def begin(checkpoint):
    if (state := tf.train.get_checkpoint_state("kept")) is not None:
        checkpoint.restore(state.model_checkpoint_path)
    return Manager(checkpoint)


finish = Manager.clean


# == right: restored by a manager that nobody saves with
# %%mw
kept = {}


def begin(checkpoint):
    reader = tf.train.CheckpointManager(checkpoint, "kept", 3)
    reader.restore_or_initialize()
    if is_chief:
        return reader
    kept["own"] = tempfile.TemporaryDirectory()
    return tf.train.CheckpointManager(checkpoint, kept["own"].name, 3)


def finish(manager):
    for own in kept.values():
        own.cleanup()
    kept.clear()


# == wrong: all save to one directory
# %%mw
def begin(checkpoint):
    manager = tf.train.CheckpointManager(checkpoint, "kept", max_to_keep=3)
    manager.restore_or_initialize()
    return manager


def finish(manager):
    pass


# == wrong: every checkpoint is kept
# -     return tf.train.CheckpointManager(checkpoint, directory, max_to_keep=3)
# +     return tf.train.CheckpointManager(checkpoint, directory, max_to_keep=None)


# == wrong: temporary directories stay
# -     if not is_chief:
# -         shutil.rmtree(manager.directory)
# +     pass


# == wrong: the second worker's checkpoints stay in a folder below the chief's
# says: `kept` contains of-worker-1/
# -     directory = "kept" if is_chief else tempfile.mkdtemp()
# +     directory = "kept" if is_chief else "kept/of-worker-1"
# -     if not is_chief:
# -         shutil.rmtree(manager.directory)
# +     pass


# == wrong: nothing is restored
# - def begin(checkpoint):
# -     checkpoint.restore(tf.train.latest_checkpoint("kept"))
# + def begin(checkpoint):


# == wrong: each restores from its own directory
# -     checkpoint.restore(tf.train.latest_checkpoint("kept"))
# -     directory = "kept" if is_chief else tempfile.mkdtemp()
# -     return tf.train.CheckpointManager(checkpoint, directory, max_to_keep=3)
# +     directory = "kept" if is_chief else f"kept-by-{task_index}"
# +     manager = tf.train.CheckpointManager(checkpoint, directory, max_to_keep=3)
# +     checkpoint.restore(manager.latest_checkpoint)
# +     return manager


# == wrong: only the chief has a manager
# %%mw
def begin(checkpoint):
    checkpoint.restore(tf.train.latest_checkpoint("kept"))
    if is_chief:
        return tf.train.CheckpointManager(checkpoint, "kept", max_to_keep=3)


def finish(manager):
    pass


# == wrong: the chief removes its directory as well
# -     if not is_chief:
# -         shutil.rmtree(manager.directory)
# +     shutil.rmtree(manager.directory)


# == wrong: another name than the usual one
# -     return tf.train.CheckpointManager(checkpoint, directory, max_to_keep=3)
# +     return tf.train.CheckpointManager(checkpoint, directory, 3, checkpoint_name="model")


# == wrong: saved once more at the end
# - def finish(manager):
# + def finish(manager):
# +     manager.save()


# == wrong: the chief keeps its checkpoints one folder further down
# says: The manager of worker:0 saves to /
# -     checkpoint.restore(tf.train.latest_checkpoint("kept"))
# -     directory = "kept" if is_chief else tempfile.mkdtemp()
# -     return tf.train.CheckpointManager(checkpoint, directory, max_to_keep=3)
# +     checkpoint.restore(tf.train.latest_checkpoint("kept/0"))
# +     return tf.train.CheckpointManager(checkpoint, f"kept/{task_index}", max_to_keep=3)


# == wrong: only the chief restores
# - def begin(checkpoint):
# -     checkpoint.restore(tf.train.latest_checkpoint("kept"))
# + def begin(checkpoint):
# -     return tf.train.CheckpointManager(checkpoint, directory, max_to_keep=3)
# +     manager = tf.train.CheckpointManager(checkpoint, directory, max_to_keep=3)
# +     if is_chief:
# +         manager.restore_or_initialize()
# +     return manager


# == wrong: each start clears the folder
# -     checkpoint.restore(tf.train.latest_checkpoint("kept"))
# +     if is_chief:
# +         shutil.rmtree("kept", ignore_errors=True)


# == wrong: a name that is not defined
# %%mw
def begin(checkpoint):
    return tf.train.CheckpointManager(checkpoint, folder, max_to_keep=3)


def finish(manager):
    pass
