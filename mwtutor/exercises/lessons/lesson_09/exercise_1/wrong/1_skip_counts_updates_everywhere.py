# misconception: `skip` counts updates wherever it stands
# says: rows were left out, and not

# %%mw
def batches(updates):
    """What a training reads that has had so many updates before."""
    rows = tf.data.Dataset.range(480).shuffle(480, seed=1)
    return rows.repeat().skip(updates).batch(8)
