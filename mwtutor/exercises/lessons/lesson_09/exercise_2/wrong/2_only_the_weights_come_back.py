# misconception: only the weights have to come back
# says: counted its epochs from 0

# %%writefile survivor.py
import os

import tensorflow as tf

import faults_setup

model = faults_setup.build("survivor")
if os.path.exists("last.weights.h5"):
    model.optimizer.build(model.trainable_variables)
    model.load_weights("last.weights.h5")
callbacks = [tf.keras.callbacks.ModelCheckpoint("last.weights.h5", save_weights_only=True)]
model.fit(
    faults_setup.data(),
    epochs=3,
    steps_per_epoch=40,
    shuffle=False,
    verbose=0,
    callbacks=[*callbacks, *faults_setup.KILLS],
)
