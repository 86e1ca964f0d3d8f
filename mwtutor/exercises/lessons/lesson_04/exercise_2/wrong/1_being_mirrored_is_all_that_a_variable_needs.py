# misconception: being mirrored is all that a variable needs
# says: has no aggregation

# %%mw_scope
rows_seen = tf.Variable(0.0)
