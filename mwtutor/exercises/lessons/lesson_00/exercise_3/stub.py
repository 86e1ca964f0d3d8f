choice = {
    "one machine, 4 equal GPUs": None,
    "8 equal machines, fast network": None,
    "20 unequal machines that come and go": None,
    "a Cloud TPU": None,
    "a model larger than any GPU": None,
}
