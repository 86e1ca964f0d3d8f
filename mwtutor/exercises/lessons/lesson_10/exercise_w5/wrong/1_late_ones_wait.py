# misconception: the worker that comes late waits
# says: These are the seconds by which each worker was late, but the early workers wait.


def seconds_waited(ready):
    return [sum(times[worker] - min(times) for times in ready) for worker in range(len(ready[0]))]
