# misconception: FILE falls back to DATA
# says: In your answer, `FILE` without any file becomes `DATA`; in section 2 it was refused.


def applied(policy, files, workers):
    if files == 0 and policy in ("AUTO", "FILE"):
        return "DATA"
    if policy == "AUTO":
        policy = "FILE"
    return "error" if policy == "FILE" and files < workers else policy
