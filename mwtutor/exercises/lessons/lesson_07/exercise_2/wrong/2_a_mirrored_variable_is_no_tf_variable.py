# misconception: a mirrored variable is not a tf.Variable
# says: is a tf.Variable, too

# %%mw
def made_outside(variables):
    return [name for name, variable in variables.items() if isinstance(variable, tf.Variable)]
