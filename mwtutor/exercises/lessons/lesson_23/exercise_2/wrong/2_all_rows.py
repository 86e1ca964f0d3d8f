# misconception: JAX divides the arrays, as TensorFlow does
# says: used by two processes


def own(rows, batch, processes, process):
    return rows, batch
