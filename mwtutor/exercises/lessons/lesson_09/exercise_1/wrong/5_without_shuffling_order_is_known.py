# misconception: without shuffling, the order is known
# says: no longer shuffled

# %%mw
def batches(updates):
    """What a training reads that has had so many updates before."""
    rows = tf.data.Dataset.range(480)
    return rows.repeat().batch(8).skip(updates)
