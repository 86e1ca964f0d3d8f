# misconception: outside a scope the default strategy is current
# says: After an inner scope, your function does not make the outer strategy current again.


def in_scope(stack, strategy, code):
    stack.append(strategy)
    try:
        return code()
    finally:
        del stack[1:]
