# misconception: a limit is for all workers together
# says: In your answer, each worker gets all processors as its limit.


def thread_limits(processors, workers):
    return processors, processors * workers
