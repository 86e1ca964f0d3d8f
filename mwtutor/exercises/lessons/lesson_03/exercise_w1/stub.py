def rows_of_steps(rows, per_replica, replicas):
    return None
