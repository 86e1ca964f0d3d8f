# misconception: only what is written in the scope is in it
# says: The strategy was not current while the code ran.


def in_scope(stack, strategy, code):
    result = code()
    stack.append(strategy)
    stack.pop()
    return result
