# misconception: the cluster divides what each worker reads
# says: 2 times


def share(rows, worker, workers):
    return rows
