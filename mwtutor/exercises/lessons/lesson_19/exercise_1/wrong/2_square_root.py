# misconception: linear scaling means the square root of the ratio
# says: square root


def rate(step, batch, base_rate, base_batch, warmup):
    full = base_rate * (batch / base_batch) ** 0.5
    if batch <= base_batch or step >= warmup:
        return full
    return base_rate + (full - base_rate) * step / warmup
