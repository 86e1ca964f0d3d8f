def one_process(rows, per_worker, workers):
    batch = per_worker * workers
    return batch, -(-rows // batch)
