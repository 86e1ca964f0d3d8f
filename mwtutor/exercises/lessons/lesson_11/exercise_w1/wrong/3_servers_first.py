# misconception: servers come before the workers that use them
# says: In your answer, the servers' addresses follow the chief's, and the workers' come last.


def cluster(hosts, workers):
    servers = len(hosts) - 1 - workers
    return {"chief": hosts[:1], "ps": hosts[1 : 1 + servers], "worker": hosts[1 + servers :]}
