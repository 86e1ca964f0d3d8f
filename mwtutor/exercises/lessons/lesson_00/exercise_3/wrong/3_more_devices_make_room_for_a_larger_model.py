# misconception: more devices make room for a larger model
# says: none of them can hold it

choice = {
    "one machine, 4 equal GPUs": "MirroredStrategy",
    "8 equal machines, fast network": "MultiWorkerMirroredStrategy",
    "20 unequal machines that come and go": "ParameterServerStrategy",
    "a Cloud TPU": "TPUStrategy",
    "a model larger than any GPU": "MirroredStrategy",
}
