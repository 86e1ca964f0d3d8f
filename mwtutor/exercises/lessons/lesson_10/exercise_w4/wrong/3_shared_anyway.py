# misconception: processes share the processors' threads
# says: Without a limit, your processes share one set of threads, but each makes its own.


def thread_limits(processors, workers):
    return max(1, processors // workers), processors
