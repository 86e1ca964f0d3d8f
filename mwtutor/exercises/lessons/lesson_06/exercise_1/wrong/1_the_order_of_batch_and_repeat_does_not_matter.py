# misconception: the order of batch and repeat does not matter
# says: from the end of the data and from the beginning

# %%mw
validation = rows.repeat().batch(64)
steps = 5
