def applied(policy, files, workers):
    return None
