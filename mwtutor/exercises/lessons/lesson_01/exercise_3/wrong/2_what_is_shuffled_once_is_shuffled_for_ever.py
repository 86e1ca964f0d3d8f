# misconception: what is shuffled once is shuffled forever
# says: it was kept from the first

# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.shuffle(64).cache().batch(per_replica * replicas)
