# misconception: being mirrored is all that a variable needs
# says: was not told what to do

# %%mw_scope
rows_seen = tf.Variable(0.0)
