# misconception: the chief is one of the workers
# says: The chief's address is also a worker's, but the chief computes no steps.


def cluster(hosts, workers):
    return {"chief": hosts[:1], "worker": hosts[:workers], "ps": hosts[workers:]}
