# misconception: TensorFlow remembers what it has read
# says: nothing was kept

# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.shuffle(64).batch(per_replica * replicas)
