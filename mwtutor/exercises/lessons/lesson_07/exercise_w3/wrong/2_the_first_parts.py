# misconception: each worker counts its replicas from 0
# says: The replicas of this worker get the first parts, but their numbers are those in `own`.


def run_on_worker(function, argument, own):
    parts = argument if isinstance(argument, tuple) else [argument] * len(own)
    return [function(part) for part in parts[: len(own)]]
