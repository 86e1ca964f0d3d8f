# misconception: the limit is rounded up
# says: In your answer, the workers together have more threads than there are processors.


def thread_limits(processors, workers):
    return -(-processors // workers), processors * workers
