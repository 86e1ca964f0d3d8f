# misconception: a batch must be full
# says: the last batch of the data is missing

# %%mw
validation = rows.batch(64, drop_remainder=True).repeat()
steps = 5
