# misconception: a TPU is one more GPU
# says: found and initialized

choice = {
    "one machine, 4 equal GPUs": "MirroredStrategy",
    "8 equal machines, fast network": "MultiWorkerMirroredStrategy",
    "20 unequal machines that come and go": "ParameterServerStrategy",
    "a Cloud TPU": "MirroredStrategy",
    "a model larger than any GPU": "model parallelism",
}
