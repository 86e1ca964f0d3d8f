# misconception: the order of batch and repeat does not matter
# says: of the end of the data and of their beginning

# %%mw
validation = rows.repeat().batch(64)
steps = 5
