# misconception: a limit is for all workers together
# says: Each worker gets all processors as its limit in your answer.


def thread_limits(processors, workers):
    return processors, processors * workers
