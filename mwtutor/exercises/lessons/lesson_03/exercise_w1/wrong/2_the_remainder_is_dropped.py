# misconception: the remainder is dropped
# says: The rows of the last step are missing: `batch` does not drop the remainder by default.


def rows_of_steps(rows, per_replica, replicas):
    batch = per_replica * replicas
    return [batch] * (rows // batch)
