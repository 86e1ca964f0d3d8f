# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.cache().shuffle(64).batch(per_replica * replicas)
