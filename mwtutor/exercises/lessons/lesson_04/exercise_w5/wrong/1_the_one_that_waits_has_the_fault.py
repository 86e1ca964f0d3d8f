# misconception: the worker that waits has the fault
# says: These are the workers that wait.


def missing(entered):
    latest = max(entered)
    return [w for w, number in enumerate(entered) if number == latest and min(entered) < latest]
