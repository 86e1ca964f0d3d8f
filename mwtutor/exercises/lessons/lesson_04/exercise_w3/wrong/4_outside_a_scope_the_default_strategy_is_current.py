# misconception: outside a scope the default strategy is current
# says: After an inner scope, the outer one is not current again.


def in_scope(stack, strategy, code):
    stack.append(strategy)
    try:
        return code()
    finally:
        del stack[1:]
