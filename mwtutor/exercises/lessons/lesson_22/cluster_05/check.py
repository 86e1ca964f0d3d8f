"""22-05: the status page and the worker."""

import json

from mwtutor.exercises.lessons.clusters import Seen, cluster, not_summed

LAUNCH = "2 broken_05.py"


def fault(seen: Seen) -> str:
    addresses = json.loads(seen.run.tf_config("worker:0"))["cluster"]["worker"]
    taken = [int(address.rpartition(":")[2]) for address in addresses]
    for port in map(int, seen.last("port")):
        if port in taken:
            return f"A status page used port {port}, which is TensorFlow's own."
    return not_summed(seen)


check = cluster(
    __file__,
    fault,
    "Each page has its own port; both workers noted the sum of the two numbers.",
)
