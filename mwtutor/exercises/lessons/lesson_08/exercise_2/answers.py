# == right: the number of epochs comes from the checkpoint
# %%mw
with strategy.scope():
    resumed, done = build(), tf.Variable(0)
tf.train.Checkpoint(model=resumed, epochs_done=done).restore(tf.train.latest_checkpoint("stopped"))
resumed.fit(dataset(), initial_epoch=int(done.numpy()), epochs=5, callbacks=[schedule], verbose=0)


# == right: a manager reads, and the number of epochs is written down
# %%mw
with strategy.scope():
    resumed = build()
    tf.train.CheckpointManager(
        tf.train.Checkpoint(model=resumed), "stopped", 1
    ).restore_or_initialize()
resumed.fit(dataset(), initial_epoch=3, epochs=5, callbacks=(schedule,), verbose=0)


# == right: one call of fit for each epoch
# %%mw
with strategy.scope():
    resumed = build()
tf.train.Checkpoint(model=resumed).restore("stopped/ckpt-1").expect_partial()
for epoch in (3, 4):
    resumed.fit(dataset(), initial_epoch=epoch, epochs=epoch + 1, callbacks=[schedule], verbose=0)


# == right: a function with NumPy's number of epochs
# %%mw
def go_on():
    latest = tf.train.latest_checkpoint("stopped")
    first = tf.train.load_variable(latest, "epochs_done/.ATTRIBUTES/VARIABLE_VALUE")
    with strategy.scope():
        made = build()
        tf.train.Checkpoint(model=made).restore(latest)
        made.fit(
            dataset(), initial_epoch=int(np.int64(first)), epochs=5, callbacks=[schedule], verbose=0
        )
    return made


resumed = go_on()


# == wrong: fit begins with epoch 0 and goes to 5
# %%mw
with strategy.scope():
    resumed = build()
tf.train.Checkpoint(model=resumed).restore(tf.train.latest_checkpoint("stopped"))
resumed.fit(dataset(), epochs=5, callbacks=[schedule], verbose=0)


# == wrong: two epochs, counted from 0
# %%mw
with strategy.scope():
    resumed = build()
tf.train.Checkpoint(model=resumed).restore(tf.train.latest_checkpoint("stopped"))
resumed.fit(dataset(), epochs=2, callbacks=[schedule], verbose=0)


# == wrong: without the schedule
# says: counted 50 steps, but `schedule` saw no epoch of `resumed`.
# %%mw
with strategy.scope():
    resumed = build()
tf.train.Checkpoint(model=resumed).restore(tf.train.latest_checkpoint("stopped"))
resumed.fit(dataset(), initial_epoch=3, epochs=5, verbose=0)


# == wrong: only the weights are restored
# %%mw
with strategy.scope():
    other, resumed = build(), build()
tf.train.Checkpoint(model=other).restore(tf.train.latest_checkpoint("stopped"))
resumed.set_weights(other.get_weights())
resumed.fit(dataset(), initial_epoch=3, epochs=5, callbacks=[schedule], verbose=0)


# == wrong: nothing is restored
# %%mw
with strategy.scope():
    resumed = build()
resumed.fit(dataset(), initial_epoch=3, epochs=5, callbacks=[schedule], verbose=0)


# == wrong: all five epochs from the beginning
# %%mw
with strategy.scope():
    resumed = build()
resumed.fit(dataset(), epochs=5, callbacks=[schedule], verbose=0)


# == wrong: outside the scope
# %%mw
resumed = build()
tf.train.Checkpoint(model=resumed).restore(tf.train.latest_checkpoint("stopped"))
resumed.fit(dataset(), initial_epoch=3, epochs=5, callbacks=[schedule], verbose=0)


# == wrong: the model that never stopped
# %%mw
resumed = steady


# == wrong: the wanted weights put into a new model
# %%mw
with strategy.scope():
    resumed = build()
resumed.set_weights(wanted)


# == wrong: one epoch too many is repeated
# %%mw
with strategy.scope():
    resumed = build()
tf.train.Checkpoint(model=resumed).restore(tf.train.latest_checkpoint("stopped"))
resumed.fit(dataset(), initial_epoch=2, epochs=5, callbacks=[schedule], verbose=0)


# == wrong: compiled once more after restoring
# %%mw
with strategy.scope():
    resumed = build()
    tf.train.Checkpoint(model=resumed).restore(tf.train.latest_checkpoint("stopped"))
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    resumed.compile(tf.keras.optimizers.Adam(0.01), loss)
resumed.fit(dataset(), initial_epoch=3, epochs=5, callbacks=[schedule], verbose=0)


# == wrong: restored only after training
# %%mw
with strategy.scope():
    resumed = build()
resumed.fit(dataset(), initial_epoch=3, epochs=5, callbacks=[schedule], verbose=0)
tf.train.Checkpoint(model=resumed).restore(tf.train.latest_checkpoint("stopped"))


# == wrong: rows in another order
# %%mw
with strategy.scope():
    resumed = build()
tf.train.Checkpoint(model=resumed).restore(tf.train.latest_checkpoint("stopped"))
resumed.fit(dataset(seed=1), initial_epoch=3, epochs=5, callbacks=[schedule], verbose=0)


# == wrong: the second worker reads where it would write
# %%mw
with strategy.scope():
    resumed = build()
with mwtutor.write_filepath("stopped") as directory:
    latest = tf.train.latest_checkpoint(directory)
tf.train.Checkpoint(model=resumed).restore(latest)
resumed.fit(dataset(), initial_epoch=3, epochs=5, callbacks=[schedule], verbose=0)


# == not judged: only the chief trains
# says: another worker takes no part in this collective
# %%mw
with strategy.scope():
    resumed = build()
tf.train.Checkpoint(model=resumed).restore(tf.train.latest_checkpoint("stopped"))
if is_chief:
    resumed.fit(dataset(), initial_epoch=3, epochs=5, callbacks=[schedule], verbose=0)
