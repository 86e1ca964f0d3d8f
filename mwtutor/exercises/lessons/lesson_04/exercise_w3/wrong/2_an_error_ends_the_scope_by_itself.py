# misconception: an error ends the scope by itself
# says: After an error in the code, the strategy is still current.


def in_scope(stack, strategy, code):
    stack.append(strategy)
    result = code()
    stack.pop()
    return result
