# misconception: the scaled rate can be used from the first step
# says: without a warm-up


def rate(step, batch, base_rate, base_batch, warmup):
    return base_rate * batch / base_batch
