# misconception: a warm-up begins with a rate of 0
# says: a line that begins at 0


def rate(step, batch, base_rate, base_batch, warmup):
    full = base_rate * batch / base_batch
    if batch <= base_batch or step >= warmup:
        return full
    return full * step / warmup
