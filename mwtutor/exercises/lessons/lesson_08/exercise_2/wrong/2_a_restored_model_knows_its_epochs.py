# misconception: a restored model knows how many epochs it has had
# says: eight epochs

# %%mw
with strategy.scope():
    resumed, epochs = build(), tf.Variable(0)
latest = tf.train.latest_checkpoint("stopped")
tf.train.Checkpoint(model=resumed, epochs_done=epochs).restore(latest)
resumed.fit(dataset(), epochs=5, callbacks=[schedule], verbose=0)
