# misconception: parameter servers split the computation
# says: store the variables in parts

choice = {
    "one machine, 4 equal GPUs": "MirroredStrategy",
    "8 equal machines, fast network": "MultiWorkerMirroredStrategy",
    "20 unequal machines that come and go": "ParameterServerStrategy",
    "a Cloud TPU": "TPUStrategy",
    "a model larger than any GPU": "ParameterServerStrategy",
}
