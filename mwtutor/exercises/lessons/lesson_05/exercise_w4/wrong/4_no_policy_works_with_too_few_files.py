# misconception: no policy works with too few files
# says: In your answer, `DATA` and `OFF` need a file for each worker, too.


def applied(policy, files, workers):
    if policy == "AUTO":
        policy = "FILE" if files else "DATA"
    if policy == "FILE" and files == 0:
        return "error"
    return "error" if 0 < files < workers else policy
