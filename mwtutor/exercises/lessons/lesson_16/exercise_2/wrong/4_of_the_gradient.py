# misconception: the rest only has to be kept, not to be chosen from
# says: the largest of the gradient alone


def compress(gradient, rest, share):
    positions = np.argsort(abs(gradient))[-max(int(share * len(gradient)), 1) :]
    left = gradient + rest
    values = left[positions]
    left[positions] = 0
    return positions, values, left
