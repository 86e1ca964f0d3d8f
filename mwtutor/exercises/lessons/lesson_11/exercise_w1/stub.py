def cluster(hosts, workers):
    """The cluster for `TF_CONFIG`.

    The first address is the chief's, the next `workers` are the workers', and all others belong
    to parameter servers.

    Returns a dictionary: a list of addresses for each of the jobs chief, worker and ps.
    """
    return None
