def rate(step, batch, base_rate, base_batch, warmup):
    return None
