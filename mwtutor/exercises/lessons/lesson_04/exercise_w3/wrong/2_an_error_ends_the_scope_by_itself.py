# misconception: an error ends the scope by itself
# says: After an error in the code, your function leaves the strategy current.


def in_scope(stack, strategy, code):
    stack.append(strategy)
    result = code()
    stack.pop()
    return result
