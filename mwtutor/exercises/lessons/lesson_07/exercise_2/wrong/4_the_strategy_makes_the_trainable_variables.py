# misconception: the strategy makes the trainable variables
# says: what an optimizer does with them

# %%mw
def made_outside(variables):
    return [name for name, variable in variables.items() if not variable.trainable]
