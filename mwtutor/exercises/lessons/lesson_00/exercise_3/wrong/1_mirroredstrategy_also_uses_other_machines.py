# misconception: MirroredStrategy also uses other machines
# says: the other 7 machines

choice = {
    "one machine, 4 equal GPUs": "MirroredStrategy",
    "8 equal machines, fast network": "MirroredStrategy",
    "20 unequal machines that come and go": "ParameterServerStrategy",
    "a Cloud TPU": "TPUStrategy",
    "a model larger than any GPU": "model parallelism",
}
