# misconception: restoring makes a model part of the cluster
# says: are plain ones

# %%mw
resumed, epochs = build(), tf.Variable(0)
latest = tf.train.latest_checkpoint("stopped")
tf.train.Checkpoint(model=resumed, epochs_done=epochs).restore(latest)
resumed.fit(dataset(), initial_epoch=int(epochs.numpy()), epochs=5, callbacks=[schedule], verbose=0)
