# misconception: 32 random bits never repeat
# says: random 32-bit numbers


def seed_for(experiment, worker, epoch):
    bits = (experiment * 1_000_003 + worker) * 1_000_003 + epoch
    for factor in (0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9):
        bits = (bits ^ bits >> 31) * factor % 2**64
    return bits >> 32
