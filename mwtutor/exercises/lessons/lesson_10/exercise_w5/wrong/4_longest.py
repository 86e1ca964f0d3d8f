# misconception: the longest wait counts
# says: This is the longest wait of each worker, not the sum.


def seconds_waited(ready):
    return [max(max(times) - times[at] for times in ready) for at in range(len(ready[0]))]
