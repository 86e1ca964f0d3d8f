# misconception: synchronous training is always best
# says: waits for the slowest

choice = {
    "one machine, 4 equal GPUs": "MirroredStrategy",
    "8 equal machines, fast network": "MultiWorkerMirroredStrategy",
    "20 unequal machines that come and go": "MultiWorkerMirroredStrategy",
    "a Cloud TPU": "TPUStrategy",
    "a model larger than any GPU": "model parallelism",
}
