# misconception: if the steps are right, nothing needs to be repeated
# says: your dataset has an end

# %%mw
validation = rows.batch(64)
steps = 5
