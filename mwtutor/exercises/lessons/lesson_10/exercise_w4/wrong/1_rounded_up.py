# misconception: the limit is rounded up
# says: All together, the workers have more threads than there are processors.


def thread_limits(processors, workers):
    return -(-processors // workers), processors * workers
