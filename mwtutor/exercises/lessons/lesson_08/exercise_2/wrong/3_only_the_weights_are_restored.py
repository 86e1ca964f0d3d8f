# misconception: only the weights need to be restored
# says: counted only 20 steps

# %%mw
with strategy.scope():
    resumed, other = build(), build()
latest = tf.train.latest_checkpoint("stopped")
tf.train.Checkpoint(model=other).restore(latest)
resumed.set_weights(other.get_weights())
resumed.fit(dataset(), initial_epoch=3, epochs=5, callbacks=[schedule], verbose=0)
