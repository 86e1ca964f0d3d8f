def quantize(gradient, rest):
    return None
