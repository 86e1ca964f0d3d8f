def thread_limits(processors, workers):
    limit = max(1, processors // workers)
    return limit, processors * workers
