# misconception: workers may have no thread
# says: In your answer, a worker has no thread if there are more workers than processors.


def thread_limits(processors, workers):
    return processors // workers, processors * workers
