# misconception: any shuffle will do: a seed is for tests
# says: in two different orders

# %%mw
def batches(updates):
    """What training reads after that many updates."""
    rows = tf.data.Dataset.range(480).shuffle(480)
    return rows.repeat().batch(8).skip(updates)
