# %%mw_scope
rows_seen = tf.Variable(0.0, aggregation=tf.VariableAggregation.SUM)
