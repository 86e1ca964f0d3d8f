# misconception: servers come before the workers that use them
# says: The servers have the addresses that follow the chief's, and the workers the last ones.


def cluster(hosts, workers):
    servers = len(hosts) - 1 - workers
    return {"chief": hosts[:1], "ps": hosts[1 : 1 + servers], "worker": hosts[1 + servers :]}
