# == right: what has no `values`
# %%mw
def made_outside(variables):
    found = []
    for name in variables:
        if not hasattr(variables[name], "values"):
            found.append(name)
    return found


# == right: variable_created_in_scope, of the strategy
# %%mw
def made_outside(variables):
    return [n for n, v in variables.items() if not strategy.extended.variable_created_in_scope(v)]


# == right: the private attribute that names the strategy
# %%mw
def made_outside(variables):
    return list(
        {
            n: v
            for n, v in variables.items()
            if getattr(v, "_distribute_strategy", None) is not strategy
        }
    )


# == wrong: all of them
# %%mw
def made_outside(variables):
    return list(variables)


# == wrong: those that were made in the scope
# %%mw
def made_outside(variables):
    return [n for n, v in variables.items() if strategy.extended.variable_created_in_scope(v)]


# == wrong: those that cannot be trained
# %%mw
def made_outside(variables):
    return [n for n, v in variables.items() if not v.trainable]


# == wrong: the variables, not their names
# says: For the first dictionary, `made_outside` returns 5.0, which is not a name
# %%mw
def made_outside(variables):
    return [v for n, v in variables.items() if not strategy.extended.variable_created_in_scope(v)]


# == wrong: those that cannot be trained, except the counter
# %%mw
def made_outside(variables):
    return [n for n, v in variables.items() if not v.trainable and n != "count"]


# == wrong: by the name of their type
# says: that the strategy created: count
# %%mw
def made_outside(variables):
    return [n for n, v in variables.items() if "Mirrored" not in type(v).__name__]


# == wrong: the first name only
# %%mw
def made_outside(variables):
    return sorted(variables)[:1]


# == wrong: the same name for each dictionary
# says: For the second dictionary, `made_outside` returns scale
# %%mw
def made_outside(variables):
    return ["scale"]
