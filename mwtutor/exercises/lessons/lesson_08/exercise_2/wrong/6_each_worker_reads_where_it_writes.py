# misconception: each worker reads where it would write
# says: training does not remove a difference

# %%mw
with strategy.scope():
    resumed, epochs = build(), tf.Variable(0)
with mwtutor.write_filepath("stopped") as directory:
    latest = tf.train.latest_checkpoint(directory)
    tf.train.Checkpoint(model=resumed).restore(latest)
resumed.fit(dataset(), initial_epoch=3, epochs=5, callbacks=[schedule], verbose=0)
