# misconception: several devices need MultiWorkerMirroredStrategy
# says: there is only one

choice = {
    "one machine, 4 equal GPUs": "MultiWorkerMirroredStrategy",
    "8 equal machines, fast network": "MultiWorkerMirroredStrategy",
    "20 unequal machines that come and go": "ParameterServerStrategy",
    "a Cloud TPU": "TPUStrategy",
    "a model larger than any GPU": "model parallelism",
}
