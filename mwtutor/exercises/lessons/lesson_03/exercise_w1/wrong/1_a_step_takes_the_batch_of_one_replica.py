# misconception: a step takes the batch of one replica
# says: These are the steps of one replica alone: the replicas take their rows at the same time.


def rows_of_steps(rows, per_replica, replicas):
    return [min(per_replica, rows - first) for first in range(0, rows, per_replica)]
