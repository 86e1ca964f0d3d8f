# misconception: each worker leaves out its own part of the updates
# says: whoever reads how much of it

# %%mw
def batches(updates):
    """What a training reads that has had so many updates before."""
    rows = tf.data.Dataset.range(480).shuffle(480, seed=1)
    return rows.repeat().batch(8).skip(updates // num_workers)
