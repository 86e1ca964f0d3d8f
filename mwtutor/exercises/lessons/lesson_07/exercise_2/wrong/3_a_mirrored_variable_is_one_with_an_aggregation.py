# misconception: a mirrored variable is one with an aggregation
# says: may well have no aggregation

# %%mw
def made_outside(variables):
    return [
        name
        for name, variable in variables.items()
        if variable.aggregation == tf.VariableAggregation.NONE
    ]
