# == right: the zeros treated first
def quantize(gradient, rest):
    wanted = np.add(gradient, rest)
    largest = np.max(np.abs(wanted))
    if largest == 0:
        return np.zeros(len(wanted), np.int8), 1.0, wanted
    scale = np.float32(largest / 127)
    numbers = np.clip(np.round(wanted / scale), -127, 127).astype(np.int8)
    return numbers, scale, wanted - scale * numbers.astype(float)


# == right: the scale as an array of one number
def quantize(gradient, rest):
    wanted = gradient + rest
    scale = np.array([max(abs(wanted).max(), 1e-30) / 127])
    numbers = np.floor(wanted / scale + 0.5).clip(-127, 127).astype("int8")
    return [numbers, scale, wanted - scale * numbers]


# == right: in plain Python
def quantize(gradient, rest):
    wanted = [float(a) + float(b) for a, b in zip(gradient, rest)]
    scale = max(map(abs, wanted)) / 127 or 1.0
    numbers = [round(one / scale) for one in wanted]
    left = [one - scale * number for one, number in zip(wanted, numbers)]
    return np.array(numbers, dtype="int8"), scale, left


# == wrong: a fixed scale
def quantize(gradient, rest):
    wanted = gradient + rest
    numbers = np.clip(np.rint(wanted * 100), -127, 127).astype("int8")
    return numbers, 0.01, wanted - 0.01 * numbers


# == wrong: the scale is the largest number
def quantize(gradient, rest):
    wanted = gradient + rest
    scale = abs(wanted).max() or 1.0
    numbers = np.rint(wanted / scale * 127).astype("int8")
    return numbers, scale, wanted - scale / 127 * numbers


# == wrong: without the old rest
def quantize(gradient, rest):
    scale = abs(gradient).max() / 127 or 1.0
    numbers = np.rint(gradient / scale).astype("int8")
    return numbers, scale, gradient - scale * numbers


# == wrong: 16 bits
def quantize(gradient, rest):
    wanted = gradient + rest
    scale = abs(wanted).max() / 32767 or 1.0
    numbers = np.rint(wanted / scale).astype("int16")
    return numbers, scale, wanted - scale * numbers


# == wrong: the rest with the wrong sign
def quantize(gradient, rest):
    wanted = gradient + rest
    scale = abs(wanted).max() / 127 or 1.0
    numbers = np.rint(wanted / scale).astype("int8")
    return numbers, scale, scale * numbers - wanted


# == wrong: half of the range
def quantize(gradient, rest):
    wanted = gradient + rest
    scale = abs(wanted).max() / 63 or 1.0
    numbers = np.rint(wanted / scale).astype("int8")
    return numbers, scale, wanted - scale * numbers


# == wrong: changes the rest
def quantize(gradient, rest):
    rest += gradient
    scale = abs(rest).max() / 127 or 1.0
    numbers = np.rint(rest / scale).astype("int8")
    return numbers, scale, rest - scale * numbers


# == wrong: the scale of the smallest number
def quantize(gradient, rest):
    wanted = gradient + rest
    scale = -wanted.min() / 127 or 1.0
    numbers = np.rint(wanted / scale).astype("int8")
    return numbers, scale, wanted - scale * numbers


# == wrong: the first number is the largest
def quantize(gradient, rest):
    wanted = gradient + rest
    scale = abs(wanted[0]) / 127 or 1.0
    numbers = np.rint(wanted / scale).astype("int8")
    return numbers, scale, wanted - scale * numbers


# == wrong: keeps the old rest, and does not send it
def quantize(gradient, rest):
    scale = abs(gradient).max() / 127 or 1.0
    numbers = np.rint(gradient / scale).astype("int8")
    return numbers, scale, rest + gradient - scale * numbers


# == right: as TensorFlow's tensors
def quantize(gradient, rest):
    import tensorflow as tf

    wanted = tf.constant(gradient + rest)
    scale = tf.reduce_max(abs(wanted)) / 127
    numbers = tf.round(tf.math.divide_no_nan(wanted, scale))
    return tf.cast(numbers, tf.int8), scale, wanted - scale * numbers


# == wrong: adds a little to the scale
def quantize(gradient, rest):
    wanted = gradient + rest
    scale = abs(wanted).max() / 127 + 1e-8
    numbers = np.rint(wanted / scale).astype("int8")
    return numbers, scale, wanted - scale * numbers


# == wrong: has a smallest scale
def quantize(gradient, rest):
    wanted = gradient + rest
    scale = max(abs(wanted).max() / 127, 1e-6)
    numbers = np.rint(wanted / scale).astype("int8")
    return numbers, scale, wanted - scale * numbers


# == wrong: takes numbers that add up to 0 for zeros
def quantize(gradient, rest):
    wanted = gradient + rest
    if wanted.sum() == 0:
        return np.zeros(len(wanted), "int8"), 1.0, wanted
    scale = abs(wanted).max() / 127
    numbers = np.rint(wanted / scale).astype("int8")
    return numbers, scale, wanted - scale * numbers


# == wrong: takes numbers below 0 for zeros
def quantize(gradient, rest):
    wanted = gradient + rest
    if wanted.max() <= 0:
        return np.zeros(len(wanted), "int8"), 1.0, wanted
    scale = abs(wanted).max() / 127
    numbers = np.rint(wanted / scale).astype("int8")
    return numbers, scale, wanted - scale * numbers


# == wrong: divides 0 by 0
# says: NaN is converted to `int8`
def quantize(gradient, rest):
    wanted = gradient + rest
    scale = abs(wanted).max() / 127
    numbers = np.rint(wanted / scale).astype("int8")
    return numbers, scale, wanted - scale * numbers


# == right: NaN replaced before it becomes a number of 8 bits
def quantize(gradient, rest):
    wanted = gradient + rest
    scale = abs(wanted).max() / 127
    numbers = np.nan_to_num(np.rint(wanted / scale)).astype("int8")
    return numbers, scale, wanted - scale * numbers


# == wrong: the inverse of the scale
# says: but what arrives is `scale * numbers`
def quantize(gradient, rest):
    wanted = gradient + rest
    scale = 127 / (abs(wanted).max() or 1.0)
    numbers = np.rint(wanted * scale).astype("int8")
    return numbers, scale, wanted - numbers / scale
