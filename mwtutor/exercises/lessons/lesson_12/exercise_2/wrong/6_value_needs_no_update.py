# misconception: the value of the last batch needs no update
# says: it must come from a variable

# %%mw
def metrics_of(each):
    mean = tf.reduce_mean(each)
    return {"mean loss": (mean, mean)}
