# misconception: what has the wanted weights has gone on
# says: the model that was never stopped

# %%mw
resumed = steady
