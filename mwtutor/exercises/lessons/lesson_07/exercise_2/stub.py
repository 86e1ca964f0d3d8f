# %%mw
def made_outside(variables):
    return []
