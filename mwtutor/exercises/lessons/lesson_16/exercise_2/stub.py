def compress(gradient, rest, share):
    return None
