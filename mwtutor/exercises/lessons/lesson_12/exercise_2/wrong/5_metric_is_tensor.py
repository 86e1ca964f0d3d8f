# misconception: a metric is a tensor
# says: TypeError

# %%mw
def metrics_of(each):
    return {"mean loss": tf.reduce_mean(each)}
