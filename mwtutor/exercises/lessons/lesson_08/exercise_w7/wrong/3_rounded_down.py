# misconception: a partial batch does not count as a step
# says: The last, partial batch is missing.


def one_process(rows, per_worker, workers):
    return per_worker * workers, rows // (per_worker * workers)
