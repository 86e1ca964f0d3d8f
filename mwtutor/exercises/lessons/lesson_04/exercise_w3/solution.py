def in_scope(stack, strategy, code):
    stack.append(strategy)
    try:
        return code()
    finally:
        stack.pop()
