# misconception: the batch size is a number of the program
# says: right only for three batches

# %%mw
def metrics_of(each):
    return {"mean loss": v1.metrics.mean(tf.reduce_sum(each) / 99)}
