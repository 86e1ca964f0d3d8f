# misconception: the largest numbers are those with the largest effect
# says: by absolute value


def compress(gradient, rest, share):
    wanted = gradient + rest
    positions = np.argsort(wanted)[-max(int(share * len(wanted)), 1) :]
    values = wanted[positions]
    wanted[positions] = 0
    return positions, values, wanted
