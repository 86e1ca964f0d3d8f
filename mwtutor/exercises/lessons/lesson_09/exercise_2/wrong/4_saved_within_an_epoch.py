# misconception: the more often training is saved, the less is lost
# says: the last attempt made
# needs: keras3

# %%writefile survivor.py
import tensorflow as tf

import faults_setup

model = faults_setup.build("survivor")
callbacks = [tf.keras.callbacks.BackupAndRestore("backup", save_freq=30)]
model.fit(
    faults_setup.data(),
    epochs=3,
    steps_per_epoch=40,
    shuffle=False,
    verbose=0,
    callbacks=[*callbacks, *faults_setup.KILLS],
)
