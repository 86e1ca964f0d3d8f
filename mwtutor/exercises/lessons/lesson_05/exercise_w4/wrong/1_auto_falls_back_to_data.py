# misconception: AUTO falls back to DATA
# says: In your answer, `AUTO` works with too few files; in section 4 it raised an error.


def applied(policy, files, workers):
    if policy == "AUTO":
        return "FILE" if files >= workers else "DATA"
    return "error" if policy == "FILE" and files < workers else policy
