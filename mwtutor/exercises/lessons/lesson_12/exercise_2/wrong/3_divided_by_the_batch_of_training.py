# misconception: evaluation divides by the batch size of training
# says: the batch size used in training

# %%mw
def metrics_of(each):
    return {"mean loss": v1.metrics.mean(tf.reduce_sum(each) / digits_input.BATCH)}
