# misconception: two seeds are as good as two parts
# says: both workers read all

# %%mw
def rows_for(context):
    return tf.data.Dataset.range(40).shuffle(40).batch(4)
