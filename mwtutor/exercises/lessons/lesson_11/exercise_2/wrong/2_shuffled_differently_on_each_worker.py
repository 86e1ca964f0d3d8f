# misconception: workers that shuffle differently do not read the same rows
# says: neither knows what the other reads

# %%mw
def schedule_epoch():
    """Schedule the steps of an epoch, and return what `schedule` returns for each."""

    def data():
        rows = tf.data.Dataset.range(96)
        return rows.shuffle(96).batch(4).repeat()

    iterator = iter(coordinator.create_per_worker_dataset(data))
    return [coordinator.schedule(next_step, args=(iterator,)) for _ in range(24)]
