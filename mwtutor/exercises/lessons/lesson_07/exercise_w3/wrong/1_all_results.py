# misconception: run returns the results of all replicas
# says: Your answer also contains the results of other workers' replicas.


def run_on_worker(function, argument, own):
    parts = argument if isinstance(argument, tuple) else [argument] * len(own)
    return [function(part) for part in parts]
