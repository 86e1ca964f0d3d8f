# == right: made of pairs
situations = [
    "one machine, 4 equal GPUs",
    "8 equal machines, fast network",
    "20 unequal machines that come and go",
    "a Cloud TPU",
    "a model larger than any GPU",
]
names = [
    "MirroredStrategy",
    "MultiWorkerMirroredStrategy",
    "ParameterServerStrategy",
    "TPUStrategy",
    "model parallelism",
]
choice = dict(zip(situations, names))


# == right: an OrderedDict in another order
from collections import OrderedDict

choice = OrderedDict(
    reversed(
        list(
            {
                "one machine, 4 equal GPUs": "MirroredStrategy",
                "8 equal machines, fast network": "MultiWorkerMirroredStrategy",
                "20 unequal machines that come and go": "ParameterServerStrategy",
                "a Cloud TPU": "TPUStrategy",
                "a model larger than any GPU": "model parallelism",
            }.items()
        )
    )
)


# == right: one after the other, and with more situations
choice = {}
choice["one machine, 4 equal GPUs"] = "MirroredStrategy"
choice["8 equal machines, fast network"] = "MultiWorkerMirroredStrategy"
choice["20 unequal machines that come and go"] = "ParameterServerStrategy"
choice["a Cloud TPU"] = "TPUStrategy"
choice["a model larger than any GPU"] = "model parallelism"
choice["two machines"] = "MultiWorkerMirroredStrategy"


# == right: NumPy text
choice = dict(
    zip(
        [
            "one machine, 4 equal GPUs",
            "8 equal machines, fast network",
            "20 unequal machines that come and go",
            "a Cloud TPU",
            "a model larger than any GPU",
        ],
        np.array(
            [
                "MirroredStrategy",
                "MultiWorkerMirroredStrategy",
                "ParameterServerStrategy",
                "TPUStrategy",
                "model parallelism",
            ]
        ),
    )
)


# == wrong: central storage for one machine
choice = {
    "one machine, 4 equal GPUs": "CentralStorageStrategy",
    "8 equal machines, fast network": "MultiWorkerMirroredStrategy",
    "20 unequal machines that come and go": "ParameterServerStrategy",
    "a Cloud TPU": "TPUStrategy",
    "a model larger than any GPU": "model parallelism",
}


# == wrong: one machine's strategy for eight machines
choice = {
    "one machine, 4 equal GPUs": "MirroredStrategy",
    "8 equal machines, fast network": "MirroredStrategy",
    "20 unequal machines that come and go": "ParameterServerStrategy",
    "a Cloud TPU": "TPUStrategy",
    "a model larger than any GPU": "model parallelism",
}


# == wrong: parameter servers for eight equal machines
choice = {
    "one machine, 4 equal GPUs": "MirroredStrategy",
    "8 equal machines, fast network": "ParameterServerStrategy",
    "20 unequal machines that come and go": "ParameterServerStrategy",
    "a Cloud TPU": "TPUStrategy",
    "a model larger than any GPU": "model parallelism",
}


# == wrong: all-reduce among machines that come and go
choice = {
    "one machine, 4 equal GPUs": "MirroredStrategy",
    "8 equal machines, fast network": "MultiWorkerMirroredStrategy",
    "20 unequal machines that come and go": "MultiWorkerMirroredStrategy",
    "a Cloud TPU": "TPUStrategy",
    "a model larger than any GPU": "model parallelism",
}


# == wrong: replicas for what is too large for one
choice = {
    "one machine, 4 equal GPUs": "MirroredStrategy",
    "8 equal machines, fast network": "MultiWorkerMirroredStrategy",
    "20 unequal machines that come and go": "ParameterServerStrategy",
    "a Cloud TPU": "TPUStrategy",
    "a model larger than any GPU": "MirroredStrategy",
}


# == wrong: central storage for what is too large
choice = {
    "one machine, 4 equal GPUs": "MirroredStrategy",
    "8 equal machines, fast network": "MultiWorkerMirroredStrategy",
    "20 unequal machines that come and go": "ParameterServerStrategy",
    "a Cloud TPU": "TPUStrategy",
    "a model larger than any GPU": "CentralStorageStrategy",
}


# == wrong: parameter servers for what is too large
choice = {
    "one machine, 4 equal GPUs": "MirroredStrategy",
    "8 equal machines, fast network": "MultiWorkerMirroredStrategy",
    "20 unequal machines that come and go": "ParameterServerStrategy",
    "a Cloud TPU": "TPUStrategy",
    "a model larger than any GPU": "ParameterServerStrategy",
}


# == wrong: a TPU is a device like others
choice = {
    "one machine, 4 equal GPUs": "MirroredStrategy",
    "8 equal machines, fast network": "MultiWorkerMirroredStrategy",
    "20 unequal machines that come and go": "ParameterServerStrategy",
    "a Cloud TPU": "MirroredStrategy",
    "a model larger than any GPU": "model parallelism",
}


# == wrong: model parallelism for large tables
choice = {
    "one machine, 4 equal GPUs": "MirroredStrategy",
    "8 equal machines, fast network": "MultiWorkerMirroredStrategy",
    "20 unequal machines that come and go": "model parallelism",
    "a Cloud TPU": "TPUStrategy",
    "a model larger than any GPU": "model parallelism",
}


# == wrong: a misspelled name
choice = {
    "one machine, 4 equal GPUs": "MirroredStrategy",
    "8 equal machines, fast network": "MultiworkerMirroredStrategy",
    "20 unequal machines that come and go": "ParameterServerStrategy",
    "a Cloud TPU": "TPUStrategy",
    "a model larger than any GPU": "model parallelism",
}


# == wrong: the module before the name
# says: 'tf.distribute.MultiWorkerMirroredStrategy' is not one
choice = {
    "one machine, 4 equal GPUs": "MirroredStrategy",
    "8 equal machines, fast network": "tf.distribute.MultiWorkerMirroredStrategy",
    "20 unequal machines that come and go": "ParameterServerStrategy",
    "a Cloud TPU": "TPUStrategy",
    "a model larger than any GPU": "model parallelism",
}


# == wrong: two names for one situation
# says: is not one of the six names
choice = {
    "one machine, 4 equal GPUs": "MirroredStrategy",
    "8 equal machines, fast network": "MultiWorkerMirroredStrategy",
    "20 unequal machines that come and go": "ParameterServerStrategy",
    "a Cloud TPU": "TPUStrategy",
    "a model larger than any GPU": ["MirroredStrategy", "model parallelism"],
}


# == wrong: names for numbers
# says: not one of the five situations
choice = {
    1: "MirroredStrategy",
    2: "MultiWorkerMirroredStrategy",
    3: "ParameterServerStrategy",
    4: "TPUStrategy",
    5: "model parallelism",
}
