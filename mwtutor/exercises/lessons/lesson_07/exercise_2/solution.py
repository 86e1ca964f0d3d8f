# %%mw
def made_outside(variables):
    return [
        name
        for name, variable in variables.items()
        if not strategy.extended.variable_created_in_scope(variable)
    ]
