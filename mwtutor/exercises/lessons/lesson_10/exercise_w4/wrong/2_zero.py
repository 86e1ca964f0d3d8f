# misconception: workers may have no thread
# says: With more workers than processors, a worker has no thread in your answer.


def thread_limits(processors, workers):
    return processors // workers, processors * workers
