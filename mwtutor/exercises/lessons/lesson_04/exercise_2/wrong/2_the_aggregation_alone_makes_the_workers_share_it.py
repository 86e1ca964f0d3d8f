# misconception: the aggregation alone makes the workers share it
# says: it is a plain one

# %%mw
rows_seen = tf.Variable(0.0, aggregation=tf.VariableAggregation.SUM)
