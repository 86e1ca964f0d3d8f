# misconception: astype("int8") rounds
# says: more than half of the scale


def quantize(gradient, rest):
    wanted = gradient + rest
    scale = abs(wanted).max() / 127 or 1.0
    numbers = (wanted / scale).astype("int8")
    return numbers, scale, wanted - scale * numbers
