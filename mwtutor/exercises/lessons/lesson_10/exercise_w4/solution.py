def threads(processors, workers):
    limit = max(1, processors // workers)
    return limit, processors * workers
