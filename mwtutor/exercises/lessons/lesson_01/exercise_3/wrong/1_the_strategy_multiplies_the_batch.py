# misconception: the strategy multiplies the batch
# says: each gets 2 of them

# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.cache().shuffle(64).batch(per_replica)
