def run_on_worker(function, argument, own):
    """What `strategy.run` returns on a worker whose replicas have the numbers in `own`.

    A distributed value is a tuple, with one part for each replica; anything else is a tensor.

    Returns a list: what `function` returned for each replica of this worker.
    """
    return None
