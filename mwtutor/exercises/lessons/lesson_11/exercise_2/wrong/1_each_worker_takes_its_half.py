# misconception: each worker takes its half
# says: rows of its half twice

# %%mw
def schedule_epoch():
    """Schedule the steps of an epoch, and return what `schedule` returns for each."""

    def data():
        rows = tf.data.Dataset.range(96)
        return rows.shard(num_workers, this_worker()).batch(4).repeat()

    iterator = iter(coordinator.create_per_worker_dataset(data))
    return [coordinator.schedule(next_step, args=(iterator,)) for _ in range(24)]
