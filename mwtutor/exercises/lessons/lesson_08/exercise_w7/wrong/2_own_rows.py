# misconception: one process takes the steps of one worker's batch
# says: The batch is that of the cluster, but the steps are those of a single worker's batch.


def one_process(rows, per_worker, workers):
    return per_worker * workers, -(-rows // per_worker)
