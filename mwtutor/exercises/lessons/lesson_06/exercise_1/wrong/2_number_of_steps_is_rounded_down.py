# misconception: the number of steps is rounded down
# says: the steps end before the data do

# %%mw
validation = rows.batch(64).repeat()
steps = 297 // 64
