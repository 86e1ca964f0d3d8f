# misconception: what is shuffled once is shuffled forever
# says: the order of the first epoch was kept

# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.shuffle(64).cache().batch(per_replica * replicas)
