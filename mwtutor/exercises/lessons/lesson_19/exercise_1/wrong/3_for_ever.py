# misconception: the warm-up ends by itself
# says: still rises


def rate(step, batch, base_rate, base_batch, warmup):
    full = base_rate * batch / base_batch
    if batch <= base_batch or warmup == 0:
        return full
    return base_rate + (full - base_rate) * step / warmup
