# %%mw
rows_seen = tf.Variable(0.0)
