# == right: buckets as pairs, results cut one bucket at a time
def overlapped(gradients, start, limit):
    pending, bucket, size = [], [], 0

    def close():
        nonlocal bucket, size
        pending.append(([len(one) for one in bucket], start(np.hstack(bucket))))
        bucket, size = [], 0

    for gradient in gradients:
        bucket.append(gradient)
        size += gradient.nbytes
        if size >= limit:
            close()
    if bucket:
        close()
    found = []
    for lengths, exchange in pending:
        found.extend(np.split(exchange.result(), np.cumsum(lengths)[:-1]))
    return tuple(found)


# == wrong: in the order of the layers
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
    return np.split(sums, np.cumsum(sizes)[:-1])[::-1]


# == wrong: closes a bucket one gradient late
def overlapped(gradients, start, limit):
    bucket, sizes, exchanges = [], [], []
    for gradient in gradients:
        if sum(one.nbytes for one in bucket) >= limit:
            exchanges.append(start(np.concatenate(bucket)))
            bucket = []
        bucket.append(gradient)
        sizes.append(len(gradient))
    exchanges.append(start(np.concatenate(bucket)))
    sums = np.concatenate([one.result() for one in exchanges])
    return np.split(sums, np.cumsum(sizes)[:-1])


# == wrong: counts numbers instead of bytes
def overlapped(gradients, start, limit):
    bucket, sizes, exchanges = [], [], []
    for gradient in gradients:
        bucket.append(gradient)
        sizes.append(len(gradient))
        if sum(len(one) for one in bucket) >= limit:
            exchanges.append(start(np.concatenate(bucket)))
            bucket = []
    if bucket:
        exchanges.append(start(np.concatenate(bucket)))
    sums = np.concatenate([one.result() for one in exchanges])
    return np.split(sums, np.cumsum(sizes)[:-1])


# == wrong: returns its own gradients
def overlapped(gradients, start, limit):
    return list(gradients)


# == wrong: never waits
def overlapped(gradients, start, limit):
    return [start(gradient) for gradient in gradients]


# == right: with an index for the beginning of each bucket
def overlapped(gradients, start, limit):
    seen, begins, running = [], [0], []
    for gradient in gradients:
        seen.append(np.asarray(gradient))
        if sum(one.size * one.itemsize for one in seen[begins[-1] :]) >= limit:
            running.append(start(np.concatenate(seen[begins[-1] :])))
            begins.append(len(seen))
    if begins[-1] < len(seen):
        running.append(start(np.concatenate(seen[begins[-1] :])))
    total, sums, at = np.concatenate([one.result() for one in running]), [], 0
    for one in seen:
        sums.append(total[at : at + one.size])
        at += one.size
    return sums


# == right: with next
def overlapped(gradients, start, limit):
    sizes, started, bucket = [], [], []
    while (gradient := next(gradients, None)) is not None:
        sizes.append(gradient.size)
        bucket.append(gradient)
        if 8 * sum(map(len, bucket)) >= limit:
            started.append(start(np.concatenate(bucket)))
            bucket.clear()
    if bucket:
        started.append(start(np.concatenate(bucket)))
    joined = np.concatenate([one.result() for one in started])
    return [joined[end - size : end] for size, end in zip(sizes, np.cumsum(sizes))]


# == wrong: one sum for each bucket
def overlapped(gradients, start, limit):
    bucket, exchanges = [], []
    for gradient in gradients:
        bucket.append(gradient)
        if sum(one.nbytes for one in bucket) >= limit:
            exchanges.append(start(np.concatenate(bucket)))
            bucket = []
    if bucket:
        exchanges.append(start(np.concatenate(bucket)))
    return [one.result() for one in exchanges]


# == wrong: reuses a buffer whose exchange has not ended
def overlapped(gradients, start, limit):
    buffer, used, sizes, exchanges = np.empty(1000), 0, [], []
    for gradient in gradients:
        buffer[used : used + len(gradient)] = gradient
        used += len(gradient)
        sizes.append(len(gradient))
        if used * buffer.itemsize >= limit:
            exchanges.append(start(buffer[:used]))
            used = 0
    if used:
        exchanges.append(start(buffer[:used]))
    sums = np.concatenate([one.result() for one in exchanges])
    return np.split(sums, np.cumsum(sizes)[:-1])


# == right: one long buffer, of which each bucket is a part
def overlapped(gradients, start, limit):
    buffer, begin, ends, exchanges = np.empty(1000), 0, [0], []
    for gradient in gradients:
        ends.append(ends[-1] + len(gradient))
        buffer[ends[-2] : ends[-1]] = gradient
        if 8 * (ends[-1] - begin) >= limit:
            exchanges.append((begin, ends[-1], start(buffer[begin : ends[-1]])))
            begin = ends[-1]
    if begin < ends[-1]:
        exchanges.append((begin, ends[-1], start(buffer[begin : ends[-1]])))
    for first, last, exchange in exchanges:
        buffer[first:last] = exchange.result()
    return [buffer[first:last] for first, last in zip(ends, ends[1:])]


# == wrong: an empty last bucket
def overlapped(gradients, start, limit):
    bucket, sizes, exchanges = [], [], []
    for gradient in gradients:
        bucket.append(gradient)
        sizes.append(len(gradient))
        if sum(one.nbytes for one in bucket) >= limit:
            exchanges.append(start(np.concatenate(bucket)))
            bucket = []
    exchanges.append(start(np.concatenate(bucket or [[]])))
    sums = np.concatenate([one.result() for one in exchanges])
    return np.split(sums, np.cumsum(sizes)[:-1])


# == right: with 32 bits
def overlapped(gradients, start, limit):
    started, sizes, bucket, held = [], [], [], 0
    for one in gradients:
        bucket.append(one.astype("float32"))
        sizes.append(len(one))
        held += one.nbytes
        if held >= limit:
            started.append(start(np.concatenate(bucket)))
            bucket, held = [], 0
    if bucket:
        started.append(start(np.concatenate(bucket)))
    flat = np.concatenate([one.result() for one in started])
    return np.split(flat, np.cumsum(sizes)[:-1])


# == wrong: sends 16 bits
# says: but different numbers
def overlapped(gradients, start, limit):
    started, sizes, bucket, held = [], [], [], 0
    for one in gradients:
        bucket.append(one.astype("float16"))
        sizes.append(len(one))
        held += one.nbytes
        if held >= limit:
            started.append(start(np.concatenate(bucket)))
            bucket, held = [], 0
    if bucket:
        started.append(start(np.concatenate(bucket)))
    flat = np.concatenate([one.result() for one in started]).astype("float32")
    return np.split(flat, np.cumsum(sizes)[:-1])
