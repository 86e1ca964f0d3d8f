# misconception: a worker without a file is idle
# says: In your answer, workers without a file just have nothing to do, and nothing fails.


def applied(policy, files, workers):
    if policy == "AUTO":
        return "FILE" if files else "DATA"
    return "error" if policy == "FILE" and files == 0 else policy
