# == right: synchronization ON_READ
# %%mw_scope
rows_seen = tf.Variable(
    0.0, aggregation=tf.VariableAggregation.SUM, synchronization=tf.VariableSynchronization.ON_READ
)


# == right: aggregation alone, in the scope
# %%mw_scope
rows_seen = tf.Variable(0.0, aggregation=tf.VariableAggregation.SUM)


# == right: a with statement, not trainable
# %%mw
with strategy.scope():
    rows_seen = tf.Variable(0.0, aggregation=tf.VariableAggregation.SUM, trainable=False)


# == wrong: the scope alone
# %%mw_scope
rows_seen = tf.Variable(0.0)


# == wrong: aggregation MEAN
# %%mw_scope
rows_seen = tf.Variable(0.0, aggregation=tf.VariableAggregation.MEAN)


# == wrong: aggregation without the scope
# %%mw
rows_seen = tf.Variable(0.0, aggregation=tf.VariableAggregation.SUM)


# == wrong: synchronization ON_READ, nothing is combined
# %%mw_scope
rows_seen = tf.Variable(0.0, synchronization=tf.VariableSynchronization.ON_READ)


# == wrong: aggregation ONLY_FIRST_REPLICA
# %%mw_scope
rows_seen = tf.Variable(0.0, aggregation=tf.VariableAggregation.ONLY_FIRST_REPLICA)


# == wrong: 15, not a variable
# says: is of type float
# %%mw
rows_seen = 15.0


# == wrong: SUM, in the scope of another strategy
# says: does not finish
# %%mw
with tf.distribute.MirroredStrategy().scope():
    rows_seen = tf.Variable(0.0, aggregation=tf.VariableAggregation.SUM)
