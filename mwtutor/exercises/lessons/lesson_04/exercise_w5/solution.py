def missing(entered):
    latest = max(entered)
    return [worker for worker, number in enumerate(entered) if number < latest]
