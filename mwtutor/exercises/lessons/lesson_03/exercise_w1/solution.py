def rows_of_steps(rows, per_replica, replicas):
    batch = per_replica * replicas
    return [min(batch, rows - first) for first in range(0, rows, batch)]
