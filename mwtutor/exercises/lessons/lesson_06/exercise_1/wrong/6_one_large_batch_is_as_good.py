# misconception: one large batch is just as good
# says: there are batches of more than 64 rows

# %%mw
validation = rows.batch(297).repeat()
steps = 1
