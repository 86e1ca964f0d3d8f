def in_scope(stack, strategy, code):
    return None
