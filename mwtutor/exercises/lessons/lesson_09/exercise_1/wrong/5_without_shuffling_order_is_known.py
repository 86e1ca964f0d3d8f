# misconception: without shuffling, the order is known
# says: no longer shuffled

# %%mw
def batches(updates):
    """What training reads after that many updates."""
    rows = tf.data.Dataset.range(480)
    return rows.repeat().batch(8).skip(updates)
