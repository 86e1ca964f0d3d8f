def cluster(hosts, workers):
    first, rest = hosts[:1], hosts[1:]
    return {"chief": first, "worker": rest[:workers], "ps": rest[workers:]}
