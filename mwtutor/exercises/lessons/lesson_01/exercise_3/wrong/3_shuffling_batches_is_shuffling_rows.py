# misconception: shuffling batches is shuffling rows
# says: each batch always has the same rows

# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.cache().batch(per_replica * replicas).shuffle(64)
