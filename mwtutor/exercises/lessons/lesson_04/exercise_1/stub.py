# %%mw
# Define net. The first line may change, too.
