# misconception: `epochs` counts the remaining epochs, and fit knows where it is
# says: the learning rates

# %%mw
with strategy.scope():
    resumed, epochs = build(), tf.Variable(0)
latest = tf.train.latest_checkpoint("stopped")
tf.train.Checkpoint(model=resumed, epochs_done=epochs).restore(latest)
resumed.fit(dataset(), epochs=2, callbacks=[schedule], verbose=0)
