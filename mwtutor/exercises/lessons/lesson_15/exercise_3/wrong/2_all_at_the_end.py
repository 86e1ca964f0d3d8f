# misconception: all gradients must be there before the first exchange
# says: although a bucket was full


def overlapped(gradients, start, limit):
    gradients = list(gradients)
    sums = start(np.concatenate(gradients)).result()
    return np.split(sums, np.cumsum([len(one) for one in gradients])[:-1])
