# == right: the mean of the losses of all rows
# %%mw
def metrics_of(each):
    return {"mean loss": v1.metrics.mean(each)}


# == right: means with the number of rows as their weight
# %%mw
def metrics_of(each):
    rows = tf.cast(tf.size(each), tf.float32)
    return {"mean loss": v1.metrics.mean(tf.reduce_mean(each), weights=rows)}


# == right: a sum and a number, by hand
# %%mw
def metrics_of(each):
    def summed(name, value):
        kept = v1.get_variable(
            name,
            [],
            initializer=v1.zeros_initializer(),
            trainable=False,
            collections=[v1.GraphKeys.LOCAL_VARIABLES, v1.GraphKeys.METRIC_VARIABLES],
        )
        return kept, kept.assign_add(value)

    total, add_total = summed("total", tf.reduce_sum(each))
    rows, add_rows = summed("rows", tf.cast(tf.size(each), tf.float32))
    return {"mean loss": (total / rows, add_total / add_rows)}


# == right: a metric of Keras
# %%mw
def metrics_of(each):
    metric = tf.keras.metrics.Mean()
    metric.update_state(each)
    return {"mean loss": metric}


# == right: a column of losses, and another metric beside it
# %%mw
def metrics_of(each):
    metrics = dict(rows=v1.metrics.mean(tf.ones_like(each)))
    metrics["mean loss"] = v1.metrics.mean(values=tf.reshape(each, [-1, 1]))
    return metrics


# == wrong: the mean of the batches' means
# -     return {"mean loss": v1.metrics.mean(each)}
# +     return {"mean loss": v1.metrics.mean(tf.reduce_mean(each))}


# == wrong: the mean of the batches' sums
# -     return {"mean loss": v1.metrics.mean(each)}
# +     return {"mean loss": v1.metrics.mean(tf.reduce_sum(each))}


# == wrong: each batch's sum, divided by the number of all rows
# -     return {"mean loss": v1.metrics.mean(each)}
# +     return {"mean loss": v1.metrics.mean(tf.reduce_sum(each) / 297)}


# == wrong: the mean of the last batch
# -     return {"mean loss": v1.metrics.mean(each)}
# +     return {"mean loss": (tf.reduce_mean(each), tf.no_op())}


# == wrong: a number
# -     return {"mean loss": v1.metrics.mean(each)}
# +     return {"mean loss": (tf.constant(1.48), tf.no_op())}


# == not yet: another name
# -     return {"mean loss": v1.metrics.mean(each)}
# +     return {"mean_loss": v1.metrics.mean(each)}


# == wrong: the value without its update
# -     return {"mean loss": v1.metrics.mean(each)}
# +     return {"mean loss": v1.metrics.mean(each)[0]}


# == wrong: the squares
# -     return {"mean loss": v1.metrics.mean(each)}
# +     return {"mean loss": v1.metrics.mean(each**2)}


# == wrong: the sum of all batches, divided by 297
# %%mw
def metrics_of(each):
    total = v1.get_variable(
        "total",
        [],
        initializer=v1.zeros_initializer(),
        trainable=False,
        collections=[v1.GraphKeys.LOCAL_VARIABLES],
    )
    return {"mean loss": (total / 297.0, total.assign_add(tf.reduce_sum(each)) / 297.0)}


# == wrong: a name that is not defined
# -     return {"mean loss": v1.metrics.mean(each)}
# +     return {"mean loss": v1.metrics.average(each)}


# == wrong: the first 64 rows of each batch
# -     return {"mean loss": v1.metrics.mean(each)}
# +     return {"mean loss": v1.metrics.mean(each[:64])}
