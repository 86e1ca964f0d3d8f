# misconception: each attempt needs its own directory
# says: still hold backups

# %%writefile survivor.py
import os

import tensorflow as tf

import faults_setup

model = faults_setup.build("survivor")
callbacks = [tf.keras.callbacks.BackupAndRestore("backup-" + os.environ["MWTUTOR_ATTEMPT"])]
model.fit(
    faults_setup.data(),
    epochs=3,
    steps_per_epoch=40,
    shuffle=False,
    verbose=0,
    callbacks=[*callbacks, *faults_setup.KILLS],
)
