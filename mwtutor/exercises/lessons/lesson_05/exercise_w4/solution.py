def applied(policy, files, workers):
    if policy == "AUTO":
        policy = "FILE" if files else "DATA"
    if policy == "FILE" and files < workers:
        return "error"
    return policy
