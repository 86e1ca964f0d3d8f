# == right: a table
def applied(policy, files, workers):
    of_files = "FILE" if files >= workers else "error"
    auto = "DATA" if not files else of_files
    return {"OFF": "OFF", "DATA": "DATA", "FILE": of_files, "AUTO": auto}[policy]


# == right: match
def applied(policy, files, workers):
    match policy:
        case "OFF" | "DATA":
            return policy
        case "AUTO" if files == 0:
            return "DATA"
    return "FILE" if workers <= files else "error"


# == right: NumPy's text
def applied(policy, files, workers):
    if policy in ("OFF", "DATA"):
        return np.str_(policy)
    if policy == "AUTO" and not files:
        return np.str_("DATA")
    return np.str_("error" if files < workers else "FILE")


# == wrong: what was asked for
def applied(policy, files, workers):
    return policy


# == wrong: always DATA
def applied(policy, files, workers):
    return "DATA"


# == wrong: as many files as workers are too few
def applied(policy, files, workers):
    if policy == "AUTO":
        policy = "FILE" if files else "DATA"
    return "error" if policy == "FILE" and files <= workers else policy


# == wrong: always two workers
def applied(policy, files, workers):
    if policy == "AUTO":
        policy = "FILE" if files else "DATA"
    return "error" if policy == "FILE" and files < 2 else policy


# == wrong: files must be divisible by workers
def applied(policy, files, workers):
    if policy == "AUTO":
        policy = "FILE" if files else "DATA"
    return "error" if policy == "FILE" and (files == 0 or files % workers) else policy


# == wrong: AUTO from memory is OFF
def applied(policy, files, workers):
    if policy == "AUTO":
        policy = "FILE" if files else "OFF"
    return "error" if policy == "FILE" and files < workers else policy


# == wrong: files and workers swapped
def applied(policy, files, workers):
    if policy == "AUTO":
        policy = "FILE" if files else "DATA"
    return "error" if policy == "FILE" and workers < files else policy
