# misconception: a number of 8 bits reaches from -128 to 128
# says: the largest number becomes -128


def quantize(gradient, rest):
    wanted = gradient + rest
    scale = abs(wanted).max() / 128 or 1.0
    numbers = np.rint(wanted / scale).astype("int8")
    return numbers, scale, wanted - scale * numbers
