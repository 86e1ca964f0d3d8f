def compress(gradient, rest, share):
    wanted = gradient + rest
    count = max(int(share * len(wanted)), 1)
    positions = np.argsort(abs(wanted))[-count:]
    values = wanted[positions]
    wanted[positions] = 0
    return positions, values, wanted
