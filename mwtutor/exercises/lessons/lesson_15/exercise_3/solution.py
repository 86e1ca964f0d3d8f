def overlapped(gradients, start, limit):
    bucket, sizes, exchanges = [], [], []
    for gradient in gradients:
        bucket.append(gradient)
        sizes.append(len(gradient))
        if sum(one.nbytes for one in bucket) >= limit:
            exchanges.append(start(np.concatenate(bucket)))
            bucket = []
    if bucket:
        exchanges.append(start(np.concatenate(bucket)))
    sums = np.concatenate([one.result() for one in exchanges])
    return np.split(sums, np.cumsum(sizes)[:-1])
