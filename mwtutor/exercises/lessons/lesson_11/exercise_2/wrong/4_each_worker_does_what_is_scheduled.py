# misconception: each worker does what is scheduled
# says: whichever worker takes it

# %%mw
def schedule_epoch():
    """Schedule the steps of an epoch, and return what `schedule` returns for each."""

    def data():
        rows = tf.data.Dataset.range(96)
        return rows.batch(4).repeat()

    iterator = iter(coordinator.create_per_worker_dataset(data))
    return [coordinator.schedule(next_step, args=(iterator,)) for _ in range(24 // num_workers)]
