# == right: with np.interp
def rate(step, batch, base_rate, base_batch, warmup):
    full = base_rate * batch / base_batch
    if warmup == 0 or full <= base_rate:
        return full
    return np.interp(step, [0, warmup], [base_rate, full])


# == right: as a weighted mean
def rate(step, batch, base_rate, base_batch, warmup):
    done = 1.0 if batch <= base_batch or not warmup else min(1.0, step / warmup)
    return (1 - done) * base_rate + done * base_rate * batch / base_batch


# == right: a factor, as an array of one number
def rate(step, batch, base_rate, base_batch, warmup):
    ratio = batch / base_batch
    if ratio > 1 and step < warmup:
        ratio = 1 + (ratio - 1) * step / warmup
    return np.array(base_rate * ratio)


# == wrong: divides by zero
def rate(step, batch, base_rate, base_batch, warmup):
    full = base_rate * batch / base_batch
    if batch <= base_batch:
        return full
    return base_rate + (full - base_rate) * min(1, step / warmup)


# == wrong: the batch does not matter
def rate(step, batch, base_rate, base_batch, warmup):
    return base_rate


# == wrong: small batches rise, too
def rate(step, batch, base_rate, base_batch, warmup):
    full = base_rate * batch / base_batch
    if step >= warmup:
        return full
    return base_rate + (full - base_rate) * step / warmup


# == wrong: one step early
def rate(step, batch, base_rate, base_batch, warmup):
    full = base_rate * batch / base_batch
    if batch <= base_batch or step + 1 >= warmup:
        return full
    return base_rate + (full - base_rate) * (step + 1) / warmup


# == wrong: small batches keep the base rate
def rate(step, batch, base_rate, base_batch, warmup):
    full = base_rate * max(1, batch / base_batch)
    if step >= warmup:
        return full
    return base_rate + (full - base_rate) * step / warmup


# == wrong: knows only the base of the lesson
def rate(step, batch, base_rate, base_batch, warmup):
    full = 0.0025 * batch / 32
    if batch <= 32 or step >= warmup:
        return full
    return 0.0025 + (full - 0.0025) * step / warmup


# == wrong: a text
def rate(step, batch, base_rate, base_batch, warmup):
    return f"{base_rate * batch / base_batch}"


# == wrong: raises
def rate(step, batch, base_rate, base_batch, warmup):
    return base_rate.missing


# == wrong: falls again, long after the warm-up
def rate(step, batch, base_rate, base_batch, warmup):
    full = base_rate * batch / base_batch
    if batch > base_batch and step < warmup:
        return base_rate + (full - base_rate) * step / warmup
    return full * 0.999 ** max(step - 100, 0)
