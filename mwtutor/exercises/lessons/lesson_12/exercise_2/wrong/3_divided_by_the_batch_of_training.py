# misconception: the loss is that of the training
# says: the batch size used in training

# %%mw
def metrics_of(each):
    return {"mean loss": v1.metrics.mean(tf.reduce_sum(each) / digits_input.BATCH)}
