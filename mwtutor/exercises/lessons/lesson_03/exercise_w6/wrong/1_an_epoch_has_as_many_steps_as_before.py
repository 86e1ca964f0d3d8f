# misconception: an epoch has as many steps as before
# says: Your epoch has as many steps as on one worker, so each row would be used several times.


def for_workers(rows, batch, rate, workers):
    return batch * workers, rows // batch, rate * workers
