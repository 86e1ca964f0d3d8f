# %%mw
validation = rows.batch(64).repeat()
steps = -(-297 // 64)  # rounded up: 5
