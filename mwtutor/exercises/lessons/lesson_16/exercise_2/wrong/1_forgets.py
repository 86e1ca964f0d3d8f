# misconception: what is not sent is too small to matter
# says: is neither sent nor


def compress(gradient, rest, share):
    count = max(int(share * len(gradient)), 1)
    positions = np.argsort(abs(gradient + rest))[-count:]
    return positions, (gradient + rest)[positions], np.zeros_like(gradient)
