# misconception: TensorFlow remembers what it has read
# says: none were kept

# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.shuffle(64).batch(per_replica * replicas)
