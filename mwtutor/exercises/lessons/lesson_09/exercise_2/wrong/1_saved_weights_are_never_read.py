# misconception: weights that were saved are read again
# says: no attempt read it

# %%writefile survivor.py
import tensorflow as tf

import faults_setup

model = faults_setup.build("survivor")
callbacks = [tf.keras.callbacks.ModelCheckpoint("last.weights.h5", save_weights_only=True)]
model.fit(
    faults_setup.data(),
    epochs=3,
    steps_per_epoch=40,
    shuffle=False,
    verbose=0,
    callbacks=[*callbacks, *faults_setup.KILLS],
)
