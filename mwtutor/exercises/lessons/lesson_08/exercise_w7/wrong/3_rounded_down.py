# misconception: a partial batch is no step
# says: The last, partial batch is missing.


def alone(rows, per_worker, workers):
    return per_worker * workers, rows // (per_worker * workers)
