# misconception: the last step is filled up
# says: Your steps take more rows than there are: no row is taken twice to fill the last step.


def rows_of_steps(rows, per_replica, replicas):
    batch = per_replica * replicas
    return [batch] * -(-rows // batch)
