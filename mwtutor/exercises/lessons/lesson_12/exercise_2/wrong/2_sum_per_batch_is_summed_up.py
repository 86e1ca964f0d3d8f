# misconception: a sum per batch is summed up
# says: a mean of sums

# %%mw
def metrics_of(each):
    return {"mean loss": v1.metrics.mean(tf.reduce_sum(each))}
