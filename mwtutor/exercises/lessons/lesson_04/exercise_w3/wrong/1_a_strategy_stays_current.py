# misconception: a strategy stays current
# says: The strategy is still current after the code: outside the scope it must not be.


def in_scope(stack, strategy, code):
    stack.append(strategy)
    return code()
