def exchange_ms(size, rates):
    bits = 8 * size
    return 1000 * bits / min(rates)
