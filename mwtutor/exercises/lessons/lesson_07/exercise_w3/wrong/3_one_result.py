# misconception: a worker has one result
# says: In your answer, only one of this worker's replicas has a result.


def run_on_worker(function, argument, own):
    part = argument[own[0]] if isinstance(argument, tuple) else argument
    return [function(part)]
