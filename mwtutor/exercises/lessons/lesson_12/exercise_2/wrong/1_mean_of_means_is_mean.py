# misconception: the mean of the means is the mean
# says: a mean of means

# %%mw
def metrics_of(each):
    return {"mean loss": v1.metrics.mean(tf.reduce_mean(each))}
