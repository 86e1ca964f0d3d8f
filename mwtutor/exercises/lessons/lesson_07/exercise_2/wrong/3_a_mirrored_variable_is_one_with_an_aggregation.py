# misconception: a mirrored variable is one with an aggregation
# says: A mirrored variable may have none

# %%mw
def made_outside(variables):
    return [
        name
        for name, variable in variables.items()
        if variable.aggregation == tf.VariableAggregation.NONE
    ]
