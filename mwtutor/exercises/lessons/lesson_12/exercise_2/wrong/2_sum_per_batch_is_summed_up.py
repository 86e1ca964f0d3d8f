# misconception: the sums of the batches are added up
# says: a mean of sums

# %%mw
def metrics_of(each):
    return {"mean loss": v1.metrics.mean(tf.reduce_sum(each))}
