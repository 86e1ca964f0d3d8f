# misconception: worker 0 is the chief
# says: There is no job `chief`, but training with parameter servers needs one.


def cluster(hosts, workers):
    return {"worker": hosts[: workers + 1], "ps": hosts[workers + 1 :]}
