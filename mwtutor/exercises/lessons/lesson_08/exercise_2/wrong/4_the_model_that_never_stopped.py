# misconception: a model with the wanted weights has continued training
# says: the model that was never stopped

# %%mw
resumed = steady
