# misconception: shuffled is shuffled: a seed is for tests
# says: in two different orders

# %%mw
def batches(updates):
    """What a training reads that has had so many updates before."""
    rows = tf.data.Dataset.range(480).shuffle(480)
    return rows.repeat().batch(8).skip(updates)
