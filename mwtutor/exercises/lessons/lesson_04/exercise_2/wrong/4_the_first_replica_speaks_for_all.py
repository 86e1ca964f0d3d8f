# misconception: the first replica speaks for all
# says: the first of its own

# %%mw_scope
rows_seen = tf.Variable(0.0, aggregation=tf.VariableAggregation.ONLY_FIRST_REPLICA)
