# misconception: there is one parameter server
# says: Only one parameter server is listed.


def cluster(hosts, workers):
    return {
        "chief": hosts[:1],
        "worker": hosts[1 : 1 + workers],
        "ps": hosts[1 + workers : 2 + workers],
    }
