# misconception: the rest is the whole vector, as long as it is not exchanged
# says: the new rest is not 0 there


def compress(gradient, rest, share):
    wanted = gradient + rest
    positions = np.argsort(abs(wanted))[-max(int(share * len(wanted)), 1) :]
    return positions, wanted[positions], wanted
