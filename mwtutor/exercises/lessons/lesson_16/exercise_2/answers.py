# == right: by partition, with a mask
def compress(gradient, rest, share):
    wanted = np.asarray(gradient) + rest
    count = max(1, int(len(wanted) * share))
    positions = np.argpartition(-np.abs(wanted), count - 1)[:count]
    mask = np.ones(len(wanted), bool)
    mask[positions] = False
    return positions.astype("int32"), wanted[positions], np.where(mask, wanted, 0.0)


# == right: lists, from the largest to the smallest
def compress(gradient, rest, share):
    wanted = [float(a + b) for a, b in zip(gradient, rest)]
    order = sorted(range(len(wanted)), key=lambda at: -abs(wanted[at]))[
        : max(int(share * len(wanted)), 1)
    ]
    values = [wanted[at] for at in order]
    return order, values, [0.0 if at in set(order) else one for at, one in enumerate(wanted)]


# == wrong: by a threshold, and so more than wanted if some are of the same size
def compress(gradient, rest, share):
    wanted = gradient + rest
    limit = np.sort(abs(wanted))[-max(int(share * wanted.size), 1)]
    (positions,) = np.nonzero(abs(wanted) >= limit)
    left = wanted.copy()
    left[positions] -= wanted[positions]
    return [positions, wanted[positions], left]


# == wrong: none, if the share is small
def compress(gradient, rest, share):
    wanted = gradient + rest
    count = int(share * len(wanted))
    positions = np.argsort(abs(wanted))[len(wanted) - count :]
    values = wanted[positions]
    wanted[positions] = 0
    return positions, values, wanted


# == wrong: everything, if the share is small
def compress(gradient, rest, share):
    wanted = gradient + rest
    positions = np.argsort(abs(wanted))[-int(share * len(wanted)) :]
    values = wanted[positions]
    wanted[positions] = 0
    return positions, values, wanted


# == wrong: changes the gradient
def compress(gradient, rest, share):
    gradient += rest
    positions = np.argsort(abs(gradient))[-max(int(share * len(gradient)), 1) :]
    values = gradient[positions]
    left = gradient.copy()
    left[positions] = 0
    return positions, values, left


# == wrong: absolute values are sent
def compress(gradient, rest, share):
    wanted = abs(gradient + rest)
    positions = np.argsort(wanted)[-max(int(share * len(wanted)), 1) :]
    values = wanted[positions]
    left = gradient + rest
    left[positions] = 0
    return positions, values, left


# == wrong: the smallest
def compress(gradient, rest, share):
    wanted = gradient + rest
    positions = np.argsort(abs(wanted))[: max(int(share * len(wanted)), 1)]
    values = wanted[positions]
    wanted[positions] = 0
    return positions, values, wanted


# == wrong: values in another order than positions
def compress(gradient, rest, share):
    wanted = gradient + rest
    positions = np.argsort(abs(wanted))[-max(int(share * len(wanted)), 1) :]
    values = np.sort(wanted[positions])
    wanted[positions] = 0
    return np.sort(positions), values[::-1], wanted


# == wrong: without the old rest
def compress(gradient, rest, share):
    positions = np.argsort(abs(gradient))[-max(int(share * len(gradient)), 1) :]
    left = gradient.copy()
    left[positions] = 0
    return positions, gradient[positions], left


# == wrong: rounds the count to the nearest
def compress(gradient, rest, share):
    wanted = gradient + rest
    positions = np.argsort(abs(wanted))[-max(round(share * len(wanted)), 1) :]
    values = wanted[positions]
    wanted[positions] = 0
    return positions, values, wanted


# == right: the first of those of the same size
def compress(gradient, rest, share):
    wanted = gradient + rest
    positions = np.argsort(-abs(wanted), kind="stable")[: max(int(share * len(wanted)), 1)]
    left = wanted.copy()
    left[positions] = 0
    return positions, wanted[positions], left


# == wrong: the values in 16 bits, and what is lost by that is lost
def compress(gradient, rest, share):
    wanted = gradient + rest
    count = max(1, int(share * len(wanted)))
    positions = np.argsort(-abs(wanted))[:count]
    left = wanted.copy()
    left[positions] = 0
    return positions, wanted[positions].astype("float16"), left


# == wrong: a number instead of a vector if one number is sent
# says: are not a vector of numbers
def compress(gradient, rest, share):
    left = gradient + rest
    count = max(int(share * len(left)), 1)
    positions = np.argsort(abs(left))[-count:] if count > 1 else abs(left).argmax()
    values = left[positions].copy()
    left[positions] = 0
    return positions, values, left
