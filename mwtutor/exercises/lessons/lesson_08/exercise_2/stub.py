# %%mw
resumed = None
