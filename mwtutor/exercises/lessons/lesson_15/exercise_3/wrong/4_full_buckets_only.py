# misconception: the last bucket becomes full, too
# says: in no exchange


def overlapped(gradients, start, limit):
    bucket, sizes, exchanges = [], [], []
    for gradient in gradients:
        bucket.append(gradient)
        if sum(one.nbytes for one in bucket) >= limit:
            exchanges.append(start(np.concatenate(bucket)))
            sizes += [len(one) for one in bucket]
            bucket = []
    sums = np.concatenate([one.result() for one in exchanges])
    return np.split(sums, np.cumsum(sizes)[:-1])
