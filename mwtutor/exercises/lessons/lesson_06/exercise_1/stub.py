# %%mw
validation = None
steps = None
