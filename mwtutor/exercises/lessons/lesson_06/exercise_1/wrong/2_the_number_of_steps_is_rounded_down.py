# misconception: the number of steps is rounded down
# says: the steps or the batches leave them out

# %%mw
validation = rows.batch(64).repeat()
steps = 297 // 64
