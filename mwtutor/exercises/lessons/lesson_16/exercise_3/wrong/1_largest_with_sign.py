# misconception: the largest number is also the largest by absolute value
# says: outside of -127 to 127


def quantize(gradient, rest):
    wanted = gradient + rest
    scale = wanted.max() / 127 or 1.0
    numbers = np.rint(wanted / scale).astype("int8")
    return numbers, scale, wanted - scale * numbers
