# == right: BackupAndRestore with an absolute path, and the backup is kept at the end
# - # %%writefile survivor.py
# + # %%writefile survivor.py
# + import os
# +
# - callbacks = [tf.keras.callbacks.BackupAndRestore("backup")]
# + backup = tf.keras.callbacks.BackupAndRestore(os.path.abspath("backup"), delete_checkpoint=False)
# -     callbacks=[*callbacks, *faults_setup.KILLS],
# +     callbacks=[*faults_setup.KILLS, backup],


# == right: by hand, with weights and optimizer in one file
# %%writefile survivor.py
from pathlib import Path

import tensorflow as tf

import faults_setup

model = faults_setup.build("survivor")
model.optimizer.build(model.trainable_variables)
first = 0
if Path("epoch").exists():
    first = int(Path("epoch").read_text())
    model.load_weights(f"after-{first}.weights.h5")


class Saving(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        self.model.save_weights(f"after-{epoch + 1}.weights.h5")
        Path("epoch.new").write_text(str(epoch + 1))
        Path("epoch.new").rename("epoch")


model.fit(
    faults_setup.data(),
    initial_epoch=first,
    epochs=3,
    steps_per_epoch=40,
    shuffle=False,
    verbose=0,
    callbacks=[Saving()] + faults_setup.KILLS,
)


# == right: a checkpoint's manager, and one call of fit for each epoch
# %%writefile survivor.py
import tensorflow as tf

import faults_setup

model = faults_setup.build("survivor")
model.optimizer.build(model.trainable_variables)
done = tf.Variable(0)
checkpoint = tf.train.Checkpoint(model=model, done=done)
manager = tf.train.CheckpointManager(checkpoint, "saved", max_to_keep=1)
manager.restore_or_initialize()
while done.numpy() < 3:
    epoch = int(done.numpy())
    model.fit(
        faults_setup.data(),
        initial_epoch=epoch,
        epochs=epoch + 1,
        steps_per_epoch=40,
        shuffle=False,
        verbose=0,
        callbacks=list(faults_setup.KILLS),
    )
    done.assign_add(1)
    manager.save()


# == right: arrays in a file, written after every ten updates
# %%writefile survivor.py
import os

import numpy as np
import tensorflow as tf

import faults_setup

model = faults_setup.build("survivor")
model.optimizer.build(model.trainable_variables)


def parts():
    return [*model.variables, *model.optimizer.variables]


if os.path.exists("state.npz"):
    with np.load("state.npz") as file:
        for part, name in zip(parts(), file.files):
            part.assign(file[name])
while (updates := int(model.optimizer.iterations.numpy())) < 120:
    model.fit(
        faults_setup.data().skip(updates),
        steps_per_epoch=10,
        shuffle=False,
        verbose=0,
        callbacks=[*faults_setup.KILLS],
    )
    np.savez("new.npz", *[part.numpy() for part in parts()])
    os.replace("new.npz", "state.npz")


# == wrong: the model's weights without its optimizer
# %%writefile survivor.py
from pathlib import Path

import tensorflow as tf

import faults_setup

model = faults_setup.build("survivor")
saved = sorted(Path().glob("after-*.weights.h5"))
if saved:
    model.load_weights(saved[-1])
callbacks = [tf.keras.callbacks.ModelCheckpoint("after-{epoch}.weights.h5", save_weights_only=True)]
model.fit(
    faults_setup.data(),
    initial_epoch=len(saved),
    epochs=3,
    steps_per_epoch=40,
    shuffle=False,
    verbose=0,
    callbacks=[*callbacks, *faults_setup.KILLS],
)


# == wrong: its own backup for each attempt
# - # %%writefile survivor.py
# + # %%writefile survivor.py
# + import os
# +
# - callbacks = [tf.keras.callbacks.BackupAndRestore("backup")]
# + callbacks = [tf.keras.callbacks.BackupAndRestore("backup-" + os.environ["MWTUTOR_ATTEMPT"])]


# == wrong: a backup after every ten updates
# - callbacks = [tf.keras.callbacks.BackupAndRestore("backup")]
# + callbacks = [tf.keras.callbacks.BackupAndRestore("backup", save_freq=10)]


# == wrong: without the kills
# -     callbacks=[*callbacks, *faults_setup.KILLS],
# +     callbacks=callbacks,


# == wrong: the kills are there, and empty
# - import faults_setup
# -
# + import faults_setup
# +
# + faults_setup.KILLS.clear()
# - model = faults_setup.build("survivor")
# - callbacks = [tf.keras.callbacks.BackupAndRestore("backup")]
# + model = faults_setup.build("survivor")
# -     callbacks=[*callbacks, *faults_setup.KILLS],
# +     callbacks=[tf.keras.callbacks.BackupAndRestore("backup"), *faults_setup.KILLS],


# == wrong: the model comes back, and all epochs are made again
# - # %%writefile survivor.py
# + # %%writefile survivor.py
# + from pathlib import Path
# +
# - callbacks = [tf.keras.callbacks.BackupAndRestore("backup")]
# + model.optimizer.build(model.trainable_variables)
# + if Path("last.weights.h5").exists():
# +     model.load_weights("last.weights.h5")
# + callbacks = [tf.keras.callbacks.ModelCheckpoint("last.weights.h5", save_weights_only=True)]


# == wrong: one epoch more
# says: has had 160, not 120: the last attempt made 80.
# -     epochs=3,
# +     epochs=4,


# == not yet: one epoch of 120
# -     epochs=3,
# -     steps_per_epoch=40,
# +     epochs=1,
# +     steps_per_epoch=120,


# == not yet: a temporary directory
# - # %%writefile survivor.py
# + # %%writefile survivor.py
# + import tempfile
# +
# - callbacks = [tf.keras.callbacks.BackupAndRestore("backup")]
# + callbacks = [tf.keras.callbacks.BackupAndRestore(tempfile.mkdtemp())]


# == wrong: the epoch from the attempt, and no weights
# %%writefile survivor.py
import os

import tensorflow as tf

import faults_setup

model = faults_setup.build("survivor")
model.fit(
    faults_setup.data(),
    initial_epoch=int(os.environ["MWTUTOR_ATTEMPT"]) - 1,
    epochs=3,
    steps_per_epoch=40,
    shuffle=False,
    verbose=0,
    callbacks=[*faults_setup.KILLS],
)


# == wrong: the epoch comes back, and the weights do not
# - # %%writefile survivor.py
# + # %%writefile survivor.py
# + from pathlib import Path
# +
# - callbacks = [tf.keras.callbacks.BackupAndRestore("backup")]
# + first = int(Path("epoch").read_text()) if Path("epoch").exists() else 0
# + note = tf.keras.callbacks.LambdaCallback(
# +     on_epoch_end=lambda epoch, logs: Path("epoch").write_text(str(epoch + 1))
# + )
# -     faults_setup.data(),
# +     faults_setup.data(),
# +     initial_epoch=first,
# -     callbacks=[*callbacks, *faults_setup.KILLS],
# +     callbacks=[note, *faults_setup.KILLS],


# == wrong: the optimizer comes back, and the model does not
# says: attempt 2 began with weights that differ
# %%writefile survivor.py
import os

import numpy as np
import tensorflow as tf

import faults_setup

model = faults_setup.build("survivor")
model.optimizer.build(model.trainable_variables)
if os.path.exists("optimizer.npz"):
    with np.load("optimizer.npz") as file:
        for part, name in zip(model.optimizer.variables, file.files):
            part.assign(file[name])


class Saving(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        np.savez("optimizer.npz", *[part.numpy() for part in self.model.optimizer.variables])


model.fit(
    faults_setup.data(),
    initial_epoch=int(model.optimizer.iterations.numpy()) // 40,
    epochs=3,
    steps_per_epoch=40,
    shuffle=False,
    verbose=0,
    callbacks=[Saving(), *faults_setup.KILLS],
)


# == wrong: a backup after every forty updates
# says: The attempts began after 0, 40
# - callbacks = [tf.keras.callbacks.BackupAndRestore("backup")]
# + callbacks = [tf.keras.callbacks.BackupAndRestore("backup", save_freq=40)]
