# == right: a context manager
from contextlib import contextmanager


@contextmanager
def scope(stack, strategy):
    stack.append(strategy)
    try:
        yield
    finally:
        del stack[-1]


def in_scope(stack, strategy, code):
    with scope(stack, strategy):
        return code()


# == right: an exit stack
import contextlib


def in_scope(stack, strategy, code):
    with contextlib.ExitStack() as after:
        stack.append(strategy)
        after.callback(stack.pop)
        return code()


# == right: the old entries are kept aside
def in_scope(stack, strategy, code):
    before = list(stack)
    stack[:] = [*before, strategy]
    try:
        result = code()
    except BaseException:
        stack[:] = before
        raise
    stack[:] = before
    return result


# == wrong: the code never runs
def in_scope(stack, strategy, code):
    return strategy


# == wrong: a strategy without a scope
def in_scope(stack, strategy, code):
    return code()


# == wrong: the first entry
def in_scope(stack, strategy, code):
    stack.insert(0, strategy)
    try:
        return code()
    finally:
        stack.pop(0)


# == wrong: the error is swallowed
def in_scope(stack, strategy, code):
    stack.append(strategy)
    try:
        return code()
    except Exception:
        return "an error"
    finally:
        stack.pop()


# == wrong: the strategy replaces the one outside
def in_scope(stack, strategy, code):
    stack[-1] = strategy
    return code()


# == wrong: the result is lost
def in_scope(stack, strategy, code):
    stack.append(strategy)
    try:
        code()
    finally:
        stack.pop()
    return strategy


# == wrong: always the same strategy
def in_scope(stack, strategy, code):
    stack.append("mirrored")
    try:
        return code()
    finally:
        stack.pop()


# == wrong: the first equal strategy is removed
def in_scope(stack, strategy, code):
    stack.append(strategy)
    try:
        return code()
    finally:
        stack.remove(strategy)


# == wrong: a strategy that is there twice is removed twice
def in_scope(stack, strategy, code):
    stack.append(strategy)
    try:
        return code()
    finally:
        while len(stack) > 1 and stack[-1] == strategy:
            stack.pop()


# == wrong: an error in an inner scope is swallowed
def in_scope(stack, strategy, code):
    outer = len(stack)
    stack.append(strategy)
    try:
        return code()
    except Exception:
        if outer == 1:
            raise
    finally:
        del stack[outer:]
