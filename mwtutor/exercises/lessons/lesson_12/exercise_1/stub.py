# %%mw
def rows_for(context):
    return tf.data.Dataset.range(40).batch(4)
