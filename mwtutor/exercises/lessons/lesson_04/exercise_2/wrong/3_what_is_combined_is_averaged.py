# misconception: what is combined is averaged, like gradients
# says: the mean of the two

# %%mw_scope
rows_seen = tf.Variable(0.0, aggregation=tf.VariableAggregation.MEAN)
