# misconception: the limit is rounded up
# says: All together, the workers have more threads than there are processors.


def threads(processors, workers):
    return -(-processors // workers), processors * workers
