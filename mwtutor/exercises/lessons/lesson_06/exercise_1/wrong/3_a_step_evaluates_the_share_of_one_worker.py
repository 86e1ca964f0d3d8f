# misconception: a step evaluates the share of one worker
# says: A step takes a batch for all workers together

# %%mw
validation = rows.batch(64).repeat()
steps = 10  # of 32 rows
