# misconception: what rounding takes away is too small to matter
# says: minus what arrives


def quantize(gradient, rest):
    wanted = gradient + rest
    scale = abs(wanted).max() / 127 or 1.0
    return np.rint(wanted / scale).astype("int8"), scale, np.zeros_like(wanted)
