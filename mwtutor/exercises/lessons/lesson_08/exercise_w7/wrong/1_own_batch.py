# misconception: one process takes the batch of one worker
# says: This is the batch of one worker, so an epoch has more updates than on the cluster.


def one_process(rows, per_worker, workers):
    return per_worker, -(-rows // per_worker)
